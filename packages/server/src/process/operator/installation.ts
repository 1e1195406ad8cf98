import { type AttestationPolicy, nitroPolicy, simulatedPolicy } from '@symbolon/crypto/attestation'
import type { ApiKey, RingState } from '@symbolon/crypto/node'
import { enclaveSocket } from '../../adapters/enclave-socket.ts'
import type { PlaceConfig } from '../../config.ts'
import { openPool, type Sql } from '../../db/pool.ts'
import type { Enclave, RingFault } from '../../ports/enclave.ts'

/** Where an installation is, and the API key that its enclave knows. `pids` are the processes of its enclave, as far as they run on this machine. */
export type Installation = {
  databaseUrl: string
  enclave: { socket: string; policy: AttestationPolicy; apiKey: ApiKey; pids: readonly number[] }
}

/** An installation of production, whose enclave AWS attests. */
export const productionInstallation = ({
  databaseUrl,
  enclaveSocket: socket,
  enclaveApiKey: apiKey,
  measurements,
}: PlaceConfig): Installation => ({
  databaseUrl,
  enclave: { socket, policy: nitroPolicy(measurements), apiKey, pids: [] },
})

/** An installation of the development start; `rootDer` is the certificate that simulates AWS's. */
export const simulatedInstallation = ({
  databaseUrl,
  socket,
  rootDer,
  measurements,
  apiKey,
  pids,
}: {
  databaseUrl: string
  socket: string
  rootDer: Uint8Array
  measurements: readonly Record<string, string>[]
  apiKey: ApiKey
  pids: readonly number[]
}): Installation => ({
  databaseUrl,
  enclave: { socket, policy: simulatedPolicy(rootDer, measurements), apiKey, pids },
})

/** Opens the database and the enclave for `work`, and closes both after it. `checkRing` refuses an enclave of another ring. */
export async function withInstallation<result>(
  { databaseUrl, enclave: { socket, policy, apiKey } }: Installation,
  work: (ctx: { sql: Sql; enclave: Enclave }) => Promise<result>,
  checkRing?: (sql: Sql, ring: RingState) => Promise<RingFault | undefined>,
): Promise<result> {
  const sql = openPool(databaseUrl, { connectionsMax: 2 })
  const enclave = enclaveSocket({
    path: socket,
    policy,
    apiKey,
    ...(checkRing && { checkRing: (ring) => checkRing(sql, ring) }),
  })
  try {
    return await work({ sql, enclave })
  } finally {
    await enclave.close()
    await sql.end({ timeout: 5 })
  }
}
