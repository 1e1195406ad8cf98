import type { PolicyLayer } from './decision.ts'

/** The strictest of several numbers, and whose it is. */
export type Bound<value = bigint> = { readonly max: value; readonly layer: PolicyLayer }

/** A number of one layer; null is none. */
export type Limit<value = bigint> = { readonly max: value | null; readonly layer: PolicyLayer }

/** The least of several numbers, the first of equal ones; null where none is given. */
export function strictest<value extends bigint | number>(
  limits: readonly Limit<value>[],
): Bound<value> | null {
  let least: Bound<value> | null = null
  for (const { max, layer } of limits) {
    if (max !== null && (least === null || max < least.max)) least = { max, layer }
  }
  return least
}

/** The least of several numbers, where null is none. */
export function least<value extends bigint | number>(values: readonly (value | null)[]): value | null {
  return values.reduce(lesser<value>, null)
}

/** The lesser of two numbers, where null is none. */
export function lesser<value extends bigint | number>(one: value | null, other: value | null): value | null {
  if (one === null || other === null) return one ?? other
  return other < one ? other : one
}
