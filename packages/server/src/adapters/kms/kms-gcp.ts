import { randomFillSync } from 'node:crypto'
import { wipe } from '@symbolon/crypto'
import { wrappedKeyAad } from '@symbolon/crypto/node'
import { type GcpPlaces, gcpCalls } from './gcp-calls.ts'
import { gcpKey } from './gcp-key.ts'
import type { ServiceAccount } from './google-token.ts'
import type { ApiPurpose, KeyRow, KeyService, Wrapped } from './key-service.ts'

/** The keys of Google Cloud KMS. */
export type GcpConfig = {
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/<prefix>`: the key of a purpose is `<prefix>-<purpose>`. */
  prefix: string
  /** Without one, the tokens are the metadata server's. */
  account: ServiceAccount | undefined
}

/**
 * Google Cloud KMS as key service, over its REST interface: data keys are made here and encrypted under the primary version, with the header
 * and the row as additional data, and checksums both ways (https://cloud.google.com/kms/docs/data-integrity-guidelines). There is no call that
 * encrypts anew: `rewrap` sees the data key for a moment.
 */
export function kmsGcp({ prefix, account }: GcpConfig, places?: GcpPlaces): KeyService {
  const key = gcpKey(gcpCalls(account, places))
  const nameOf = (purpose: ApiPurpose) => `${prefix}-${purpose}`
  const keyId = (purpose: ApiPurpose) => `gcp:${nameOf(purpose)}`
  const aadOf = (row: KeyRow, keyVersion: number) =>
    wrappedKeyAad({ purpose: row.purpose, keyId: keyId(row.purpose), keyVersion }, row)

  async function seal(row: KeyRow, dataKey: Uint8Array, signal: AbortSignal): Promise<Wrapped> {
    const name = nameOf(row.purpose)
    const keyVersion = await key.primary(name, signal)
    const aad = aadOf(row, keyVersion)
    return { keyVersion, wrapped: await key.encrypt(name, keyVersion, { dataKey, aad }, signal) }
  }

  const open = (row: KeyRow, { keyVersion, wrapped }: Wrapped, signal: AbortSignal) =>
    key.decrypt(nameOf(row.purpose), { wrapped, aad: aadOf(row, keyVersion) }, signal)

  return {
    keyId,

    async generate(row, signal) {
      const dataKey = randomFillSync(new Uint8Array(32))
      try {
        return { dataKey, ...(await seal(row, dataKey, signal)) }
      } catch (error) {
        wipe(dataKey)
        throw error
      }
    },

    unwrap: open,

    async rewrap(row, wrapped, signal) {
      const dataKey = await open(row, wrapped, signal)
      try {
        return await seal(row, dataKey, signal)
      } finally {
        wipe(dataKey)
      }
    },

    async rotate(purpose, signal) {
      await key.primary(nameOf(purpose), signal)
      return key.rotate(nameOf(purpose), signal)
    },

    currentVersion: (purpose, signal) => key.primary(nameOf(purpose), signal),

    async check(purpose, signal) {
      await key.primary(nameOf(purpose), signal)
    },
  }
}
