import type { Spend } from '@symbolon/policy'

/**
 * The amounts that a session has spent and reserved of one counter. `counter` is `native SYMBOL/DECIMALS`, `token CHAIN ID` or
 * `transactions` (`Spend` of @symbolon/policy).
 */
export type SessionCounter = { counter: string; spent: bigint; reserved: bigint }

/** Whether the counters include a signature already: reserved before it is made, or spent once it is out. */
export type ReservationState = 'none' | 'reserved' | 'spent'

/** The sum of a counter once the spend is made; `isIncluded`: its amount is reserved or spent already. */
export function sumWith(spend: Spend, counters: readonly SessionCounter[], isIncluded: boolean): bigint {
  const found = counters.find(({ counter }) => counter === spend.counter)
  const used = found === undefined ? 0n : found.spent + found.reserved
  return isIncluded ? used : used + spend.amount
}

/** The lowest of a spend's caps; null without any. */
export const lowestCap = ({ caps }: Spend): bigint | null =>
  caps.reduce<bigint | null>((lowest, { max }) => (lowest === null || max < lowest ? max : lowest), null)
