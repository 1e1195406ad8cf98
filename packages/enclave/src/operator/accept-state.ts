import { canonicalJson, manifestSha256 } from '@symbolon/crypto/attestation'
import { type BootState, readBootState } from '@symbolon/crypto/node'
import { EnclaveFault } from '../enclave-fault.ts'
import type { EnclaveState } from '../enclave-state.ts'
import type { Vault } from '../vault.ts'

/** What operators accept: the state that they were shown of this boot, and of what the enclave can't see, the epoch and the hash of the heads of all audit logs. */
export type Acceptance = { boot: BootState; epoch: number; logs_sha256: string }

/** What this boot began with. */
export function bootState({ ring, marks }: Vault): BootState {
  const { number, root } = marks.loaded()
  return {
    manifest_sha256: manifestSha256(ring.manifest),
    ring_version: ring.keys.version,
    snapshot: { number, root: Buffer.from(root).toString('hex') },
  }
}

/** Reads the parameters of the order; undefined where they are others. */
export function readAcceptance(parameters: Readonly<Record<string, unknown>>): Acceptance | undefined {
  const { epoch, logs_sha256: logs, ...rest } = parameters
  const boot = readBootState(rest)
  if (boot === undefined || !Number.isSafeInteger(epoch) || Number(epoch) < 1) return undefined
  if (typeof logs !== 'string' || !/^[0-9a-f]{64}$/.test(logs)) return undefined
  return { boot, epoch: Number(epoch), logs_sha256: logs }
}

/**
 * Accepts the state that this boot began with. Throws `EnclaveFault`: `refused` where the operators were shown another one, `unavailable` before the boot has
 * loaded its marks.
 */
export function acceptState(state: EnclaveState, { boot }: Acceptance): BootState & { ring_id: string } {
  if (state.phases.current() !== 'serving') throw new EnclaveFault('unavailable', 'the marks are not loaded')
  const vault = state.vault()
  const own = bootState(vault)
  if (canonicalJson(own) !== canonicalJson(boot))
    throw new EnclaveFault('refused', 'another state than the one of this boot')
  vault.marks.accept()
  return { ring_id: vault.ring.id, ...own }
}
