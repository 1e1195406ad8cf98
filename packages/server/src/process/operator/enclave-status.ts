import type { EnclaveImage } from '@symbolon/crypto/attestation'
import { epochsStore, ringsStore } from '../../features/custody/index.ts'
import { type Enclave, EnclaveError } from '../../ports/enclave.ts'
import { type Installation, withInstallation } from './installation.ts'

/** An enclave's process, and the ring and the image that it attests; all null but `pid` where it does not answer, `image` until it serves. */
type StatusOfEnclave = {
  pid: number | null
  phase: string | null
  ring_id: string | null
  version: number | null
  image: EnclaveImage | null
}

/** The key ring that the database names, the enclaves with the one that they have, and the installation's epoch. */
export type EnclaveStatus = {
  mode: 'nitro' | 'simulated'
  ring_id: string | null
  versions: { version: number; state: 'current' | 'retired' }[]
  enclaves: StatusOfEnclave[]
  epoch: number
}

/** Reads the state of an installation's enclave and ring, and changes nothing. Rejects where the database is out of reach. */
export async function enclaveStatus(installation: Installation): Promise<EnclaveStatus> {
  const { policy, pids } = installation.enclave
  return withInstallation(installation, async ({ sql, enclave }) => {
    const [{ ringId, versions }, epoch, found] = await Promise.all([
      ringsStore.versions(sql),
      epochsStore.current(sql),
      stateOf(enclave),
    ])
    return {
      mode: policy.simulated ? ('simulated' as const) : ('nitro' as const),
      ring_id: ringId,
      versions,
      enclaves: [{ pid: pids[0] ?? null, ...found }],
      epoch,
    }
  })
}

async function stateOf(enclave: Enclave): Promise<Omit<StatusOfEnclave, 'pid'>> {
  try {
    const { phase, ringId, keyVersionA } = await enclave.status()
    const image = phase === 'serving' ? await imageOf(enclave) : null
    return { phase, ring_id: ringId, version: keyVersionA, image }
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error
    return { phase: null, ring_id: null, version: null, image: null }
  }
}

/** The image that an enclave attests. Its channel opened only because its registers are expected ones. */
async function imageOf(enclave: Enclave): Promise<EnclaveImage> {
  const { state } = await enclave.attest(null)
  return (JSON.parse(state) as { image: EnclaveImage }).image
}
