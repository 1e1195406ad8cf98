import type { EnclaveState } from '../enclave-state.ts'
import { RingError, type RingRoot } from './ring.ts'

/**
 * Exchanges the open ring for the one that the root has now, where that is another: somebody put the right one back. What cannot be read
 * leaves the open one in its place, as does an older manifest of the same ring. Only while no client uses it: a ring in use does not follow a file
 * that was overwritten.
 */
export function refreshRing(root: RingRoot, state: EnclaveState): void {
  if (state.phases.current() !== 'serving') return
  const { ring } = state.vault()
  if (ring.isCurrent()) return
  try {
    const next = root.open()
    if (next.id !== ring.id || next.manifest.version >= ring.manifest.version) state.exchange(next)
  } catch (error) {
    if (!(error instanceof RingError)) throw error
  }
}
