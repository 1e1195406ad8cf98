import { isDeepStrictEqual } from 'node:util'
import { EnclaveError } from '@symbolon/server/testing/ports'
import type { World } from './world.ts'

/** A hostile request, and the honest one that it was made from: what it asks must come when nobody lies. */
export type Attempt = { forged(): Promise<unknown>; honest(): Promise<unknown> }

/** What a host that lies tries again and again. */
export type Attack = {
  name: string
  /** How the enclave may answer: codes of `EnclaveError`, what was `rolledBack`, or `byPolicy`. */
  refusals: readonly string[]
  /** The `n`th attempt; each is another one, as far as there are others. */
  attempt(world: World, n: number): Attempt | Promise<Attempt>
}

/** Where something came that has a value: a signature, a key, a share, or the word that something is allowed. */
export const yielded = 'yielded'

/** Where a policy refuses. */
export const byPolicy = 'refused by its policy'

/** How a request ended, as `Attack.refusals` names it. */
export async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    const value = await answer
    return isRefusal(value) ? byPolicy : yielded
  } catch (error) {
    if (error instanceof EnclaveError) return error.rolledBack ?? error.code
    throw error
  }
}

const isRefusal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'refusal' in value && value.refusal !== null

/** Made at the first attempt and kept for those that follow. */
export function once<value>(make: (world: World) => Promise<value>): (world: World) => Promise<value> {
  const made = new WeakMap<World, Promise<value>>()
  return (world) => {
    const value = made.get(world) ?? make(world)
    made.set(world, value)
    return value
  }
}

/** The `n`th of a list that begins again at its end. */
export function nth<value>(values: readonly value[], n: number): value {
  const value = values[n % values.length]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

/**
 * The `n`th request that has some of the members of `one` and the others of `other`, single ones first: never all of either. Members that are equal in both
 * are not counted.
 */
export function mixed<request extends object>(
  [one, other]: readonly [request, request],
  members: readonly (keyof request)[],
  n: number,
): request {
  const different = members.filter((member) => !isDeepStrictEqual(one[member], other[member]))
  if (different.length < 2) throw new Error('These requests have nothing to exchange.')
  const mask = nth(masksOf(different.length), n)
  const exchanged = different.filter((_, bit) => mask & (1 << bit)).map((member) => [member, other[member]])
  return { ...one, ...Object.fromEntries(exchanged) }
}

const masks = new Map<number, readonly number[]>()

/** All subsets of so many bits but none and all of them, the small ones first. */
function masksOf(bits: number): readonly number[] {
  const known = masks.get(bits)
  if (known) return known
  const all = Array.from({ length: 2 ** bits - 2 }, (_, i) => i + 1)
  const sorted = all.toSorted((a, b) => bitsOf(a) - bitsOf(b))
  masks.set(bits, sorted)
  return sorted
}

const bitsOf = (mask: number): number => mask.toString(2).replaceAll('0', '').length

/** The bytes with one bit changed, the `n`th of them. */
export function flipped(bytes: Uint8Array, n: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  // A prime step: even a short run comes through all parts.
  const bit = (n * 9_973) % (copy.length * 8)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}
