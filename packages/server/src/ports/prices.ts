import type { Chain } from '@symbolon/networks'

/** What one whole native unit costs: EUR x 10^8, rounded up; where the number comes from; and when it was true. */
export type Price = { eurE8: bigint; source: string; at: Date }

/** Prices of native assets. Rejects with `PriceError`: then nothing is sponsored, no price is ever guessed. */
export type Prices = { of(chain: Chain): Promise<Price> }

/** `stale`: the feed is too old, `implausible`: its number cannot be, `unavailable`: there is none to be had. */
export type PriceErrorCode = 'stale' | 'unavailable' | 'implausible'

const messages: Record<PriceErrorCode, string> = {
  stale: 'The price is too old.',
  unavailable: 'No price is available.',
  implausible: 'The price is implausible.',
}

/** The only error of `Prices`; the cause is for the log. */
export class PriceError extends Error {
  override readonly name = 'PriceError'
  readonly code: PriceErrorCode

  constructor(code: PriceErrorCode, cause?: unknown) {
    super(messages[code], { cause })
    this.code = code
  }
}
