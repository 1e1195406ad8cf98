import { splitSecret, wipe } from '@symbolon/crypto'
import type { Random } from './random.ts'

/** The three shares of a key on one polynomial, 33 bytes each: y, then x. Any two of them are the key. */
export type KeyShares = {
  readonly device: Uint8Array
  readonly provider: Uint8Array
  readonly recovery: Uint8Array
}

/**
 * Splits a key of 32 bytes on a fresh polynomial, at three different random x from 1 to 255: shares of an earlier split
 * never combine with these, and mostly differ from them in x as well. Whoever takes the shares wipes them.
 */
export function splitKey(key: Uint8Array, random: Random): KeyShares {
  const indexes = randomIndexes(3, random)
  const [device, provider, recovery] = splitSecret(key, indexes, random)
  if (device === undefined || provider === undefined || recovery === undefined) throw new Error('no shares')
  return { device, provider, recovery }
}

/** The x of a share. */
export function shareIndex(share: Uint8Array): number {
  return share[32] ?? 0
}

/** Wipes all three. */
export function wipeShares({ device, provider, recovery }: KeyShares): void {
  wipe(device, provider, recovery)
}

function randomIndexes(count: number, random: Random): number[] {
  const indexes = new Set<number>()
  while (indexes.size < count) {
    const [index = 0] = random(1)
    if (index !== 0) indexes.add(index)
  }
  return [...indexes]
}
