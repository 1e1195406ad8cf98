import { sodium } from './native.ts'

/** One piece of locked memory for secrets; the three views share its 64 bytes. */
export type Slot = {
  /** All 64 bytes: an expanded ed25519 key. */
  readonly full: Uint8Array
  /** The first 33 bytes: a share. */
  readonly share: Uint8Array
  /** The first 32 bytes: a private key or seed. */
  readonly key: Uint8Array
}

/** A fixed pool of locked slots. */
export type SecureSlots = {
  /** A zeroed slot. Exhaustion is a leak of secrets in the making and aborts the process. */
  take(): Slot
  /** Zeroes the slot and puts it back. */
  give(slot: Slot): void
  /** How many slots are not in use. */
  free(): number
}

const slotBytes = 64

/** Allocates `count` slots with `sodium_malloc` at once; none is ever allocated later. */
export function secureSlots(count: number): SecureSlots {
  const pool: Slot[] = Array.from({ length: count }, () => {
    const full = sodium.sodium_malloc(slotBytes)
    return { full, share: full.subarray(0, 33), key: full.subarray(0, 32) }
  })
  return {
    take() {
      const slot = pool.pop()
      if (slot === undefined) process.abort()
      return slot
    },
    give(slot) {
      sodium.sodium_memzero(slot.full)
      pool.push(slot)
    },
    free: () => pool.length,
  }
}

/** Lends four slots to `use`, and zeroes them however it ends. */
export function takeSlots<result>(
  slots: SecureSlots,
  use: (taken: readonly [Slot, Slot, Slot, Slot]) => result,
): result {
  const taken = [slots.take(), slots.take(), slots.take(), slots.take()] as const
  try {
    return use(taken)
  } finally {
    for (const slot of taken) slots.give(slot)
  }
}
