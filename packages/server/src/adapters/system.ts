import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@symbolon/crypto'
import type { Clock, Ids } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'

/** The operating system's randomness. */
export const systemRandom: Random = (length) => randomBytes(length)

/** This machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

const idBytes = 10
const idsPerDraw = 400

/** UUIDv7 from the system's clock and randomness, drawn for many ids at once: one call costs more than the bytes. */
export function systemIds(): Ids {
  let pool = new Uint8Array(0)
  let used = 0
  return {
    next() {
      if (used + idBytes > pool.length) {
        pool = randomBytes(idBytes * idsPerDraw)
        used = 0
      }
      const id = uuidv7(Date.now(), pool.subarray(used, used + idBytes))
      used += idBytes
      return id
    },
  }
}

/** A number in 0..1 that spreads retries; not for secrets. */
export const systemJitter = (): number => Math.random()
