import type { EnclavePhase } from '@symbolon/crypto/node'
import type { Channels } from '../channels.ts'
import type { EnclaveState } from '../enclave-state.ts'
import { RingError, type RingRoot } from './ring.ts'

/**
 * Follows the root of the ring. A ring in use stays, whatever its file says by now; its manifest is exchanged for a later one of the same chain, and
 * channels whose API key that one no longer names are closed. Where no client has a channel, the ring that the root has now is taken, too: somebody put the right one
 * back. What cannot be read leaves the open one in its place, as does an older manifest of the same ring.
 */
export function refreshRing(
  root: RingRoot,
  state: EnclaveState,
  channels: Pick<Channels, 'count' | 'dropUnknown'>,
): void {
  if (!isOpen(state.phases.current()) || state.vault().ring.isCurrent()) return
  if (channels.count() === 0) exchangeRing(root, state)
  else if (state.takeLaterManifest())
    channels.dropUnknown((thumbprint) => state.apiKey(thumbprint) !== undefined)
}

const isOpen = (phase: EnclavePhase): boolean => phase === 'loading' || phase === 'serving'

function exchangeRing(root: RingRoot, state: EnclaveState): void {
  const { ring } = state.vault()
  try {
    const next = root.open()
    if (next.id !== ring.id || next.manifest.version >= ring.manifest.version) state.exchange(next)
  } catch (error) {
    if (!(error instanceof RingError)) throw error
  }
}
