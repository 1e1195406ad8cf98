import type { Fail } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'

/** The two shares that leave the browser, each 33 bytes: y, then the index. */
export type SharePair = {
  provider: Uint8Array
  recovery: Uint8Array
  providerIndex: number
  recoveryIndex: number
}

/** The shares of a request: base64, and the index each one is said to have. */
export type GivenShares = { provider: string; providerIndex: number; recovery: string; recoveryIndex: number }

/** Reads the shares of a request; a wrong length, an index that is not the given one, or equal ones are refused. */
export type ReadSharePair = (given: GivenShares, fail: Fail<'invalid_share'>) => SharePair

const shareLength = 33

/** Reads both shares (decisions: wallets). The caller wipes them. */
export const readSharePair: ReadSharePair = (given, fail) => {
  const pair = {
    provider: Uint8Array.from(Buffer.from(given.provider, 'base64')),
    recovery: Uint8Array.from(Buffer.from(given.recovery, 'base64')),
    providerIndex: given.providerIndex,
    recoveryIndex: given.recoveryIndex,
  }
  const isFit =
    isShare(pair.provider, pair.providerIndex) &&
    isShare(pair.recovery, pair.recoveryIndex) &&
    pair.providerIndex !== pair.recoveryIndex
  if (isFit) return pair
  wipe(pair.provider)
  wipe(pair.recovery)
  throw fail('invalid_share')
}

const isShare = (share: Uint8Array, index: number) =>
  share.length === shareLength && index >= 1 && index <= 255 && share[shareLength - 1] === index
