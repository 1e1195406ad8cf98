import type { EnclaveLog } from '../enclave-log.ts'
import { RingError, type RingRoot, type ServingRing } from './ring.ts'

// A first start makes the ring while the enclave waits; a lost ring is put back by a person.
const lookEveryMs = 20
const lookEveryLaterMs = 500
const laterAfterMs = 10_000

/** A ring that may still have to come. `stop` ends the looking; `ring` then stays pending. */
export type Opening = { ring: Promise<ServingRing>; stop(): void }

/** Opens the ring of `root`, as soon as there is one, and logs why it has to wait, each reason once. */
export function openWhenThere(root: RingRoot, log: EnclaveLog): Opening {
  const { promise, resolve, reject } = Promise.withResolvers<ServingRing>()
  const startedAtMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  let lastReason = ''
  const look = () => {
    try {
      resolve(root.open())
    } catch (error) {
      if (!(error instanceof RingError)) return reject(error)
      if (error.message !== lastReason)
        log('no key ring', { reason: error.code, place: error.place, message: error.message })
      lastReason = error.message
      const isLate = performance.now() - startedAtMs > laterAfterMs
      timer = setTimeout(look, isLate ? lookEveryLaterMs : lookEveryMs)
    }
  }
  look()
  return { ring: promise, stop: () => clearTimeout(timer) }
}
