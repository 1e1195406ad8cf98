import type { EnclaveState } from '../enclave-state.ts'
import { RingError, type RingRoot } from './ring.ts'

/**
 * Exchanges the open ring for the one that the root has now, where that is another: somebody put the right one back. What cannot be read
 * leaves the open one in its place. Only while no client uses it: a ring in use does not follow a file that was overwritten.
 */
export function refreshRing(root: RingRoot, state: EnclaveState): void {
  if (state.phases.current() !== 'serving' || state.vault().ring.isCurrent()) return
  try {
    state.exchange(root.open())
  } catch (error) {
    if (!(error instanceof RingError)) throw error
  }
}
