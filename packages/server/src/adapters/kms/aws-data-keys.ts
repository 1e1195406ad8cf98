import type { KMSClient } from '@aws-sdk/client-kms'
import { wipe } from '@symbolon/crypto'
import { KmsError } from '../../ports/kms.ts'
import { awsUnfit } from './aws-error.ts'
import type { AwsKeyMaterials } from './aws-key-materials.ts'
import type { KeyRow, Wrapped } from './key-service.ts'

/** The calls of AWS KMS that make, open and re-encrypt data keys, each under the key `keyId`. */
export type AwsDataKeys = {
  generate(keyId: string, row: KeyRow, signal: AbortSignal): Promise<Wrapped & { dataKey: Uint8Array }>
  unwrap(keyId: string, row: KeyRow, wrapped: Wrapped, signal: AbortSignal): Promise<Uint8Array>
  rewrap(keyId: string, row: KeyRow, wrapped: Wrapped, signal: AbortSignal): Promise<Wrapped>
}

type Commands = 'GenerateDataKeyCommand' | 'DecryptCommand' | 'ReEncryptCommand'

/** Binds each data key to its row, by the encryption context, and to its version, by the key material that AWS says it used. */
export function awsDataKeys(
  client: KMSClient,
  sdk: Pick<typeof import('@aws-sdk/client-kms'), Commands>,
  materials: AwsKeyMaterials,
): AwsDataKeys {
  return {
    async generate(KeyId, row, abortSignal) {
      const request = { KeyId, KeySpec: 'AES_256', EncryptionContext: contextOf(row) } as const
      const answer = await client.send(new sdk.GenerateDataKeyCommand(request), { abortSignal })
      const dataKey = taken(answer.Plaintext)
      return wipedUnless(dataKey, async () => ({
        dataKey,
        keyVersion: await materials.versionOf(KeyId, answer.KeyMaterialId, abortSignal),
        wrapped: present(answer.CiphertextBlob),
      }))
    },

    async unwrap(KeyId, row, { keyVersion, wrapped }, abortSignal) {
      const request = { KeyId, CiphertextBlob: wrapped, EncryptionContext: contextOf(row) }
      const answer = await client.send(new sdk.DecryptCommand(request), { abortSignal })
      const dataKey = taken(answer.Plaintext)
      return wipedUnless(dataKey, async () => {
        if ((await materials.versionOf(KeyId, answer.KeyMaterialId, abortSignal)) === keyVersion)
          return dataKey
        throw new KmsError('unauthenticated')
      })
    },

    async rewrap(KeyId, row, { keyVersion, wrapped }, abortSignal) {
      const request = {
        CiphertextBlob: wrapped,
        SourceKeyId: KeyId,
        SourceEncryptionContext: contextOf(row),
        DestinationKeyId: KeyId,
        DestinationEncryptionContext: contextOf(row),
      }
      const answer = await client.send(new sdk.ReEncryptCommand(request), { abortSignal })
      if ((await materials.versionOf(KeyId, answer.SourceKeyMaterialId, abortSignal)) !== keyVersion)
        throw new KmsError('unauthenticated')
      return {
        keyVersion: await materials.versionOf(KeyId, answer.DestinationKeyMaterialId, abortSignal),
        wrapped: present(answer.CiphertextBlob),
      }
    },
  }
}

/** What AWS authenticates with the data key, and shows in CloudTrail; key policies can ask for its members. */
const contextOf = (row: KeyRow): Record<string, string> => ({
  purpose: row.purpose,
  organization: row.organizationId,
  wallet: row.walletId,
  share_index: String(row.shareIndex),
  polynomial_version: String(row.polynomialVersion),
})

function present(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw awsUnfit('The answer of AWS KMS is incomplete.')
  return Uint8Array.from(bytes)
}

/** The SDK decodes into memory that it may share: a copy, and the original wiped. */
function taken(bytes: Uint8Array | undefined): Uint8Array {
  const copy = present(bytes)
  if (bytes !== undefined) wipe(bytes)
  return copy
}

async function wipedUnless<result>(dataKey: Uint8Array, succeeds: () => Promise<result>): Promise<result> {
  try {
    return await succeeds()
  } catch (error) {
    wipe(dataKey)
    throw error
  }
}
