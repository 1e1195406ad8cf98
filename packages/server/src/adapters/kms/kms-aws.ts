import type { KMSClient, KMSClientConfig } from '@aws-sdk/client-kms'
import { awsDataKeys } from './aws-data-keys.ts'
import { awsCoded, awsUnfit } from './aws-error.ts'
import { awsKeyMaterials } from './aws-key-materials.ts'
import { installed } from './installed.ts'
import type { ApiPurpose, KeyService } from './key-service.ts'

/** The keys of AWS KMS, all in one region. */
export type AwsConfig = { region: string; keys: Readonly<Record<ApiPurpose, string>> }

/**
 * AWS KMS as key service: one symmetric key per purpose, by ARN, with the row as encryption context. A version is the place of a key
 * material in the order of rotations, automatic ones included, which the answers name by the id of the material they used
 * (https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html). Rejects with
 * `PackageMissingError` where the SDK is not installed.
 *
 * The SDK hands data keys through strings, which nobody can wipe; what it gives us is wiped.
 */
export async function kmsAws(
  { region, keys }: AwsConfig,
  clientOptions: Pick<KMSClientConfig, 'endpoint' | 'credentials'> = {},
): Promise<KeyService> {
  const sdk = await installed('KMS=aws', '@aws-sdk/client-kms', () => import('@aws-sdk/client-kms'))
  // Time and repetitions are `remoteKms`'s business.
  const client: KMSClient = new sdk.KMSClient({ region, maxAttempts: 1, ...clientOptions })
  const materials = awsKeyMaterials(client, sdk)
  const dataKeys = awsDataKeys(client, sdk, materials)

  return {
    keyId: (purpose) => keys[purpose],
    generate: (row, signal) => awsCoded(() => dataKeys.generate(keys[row.purpose], row, signal)),
    unwrap: (row, wrapped, signal) =>
      awsCoded(() => dataKeys.unwrap(keys[row.purpose], row, wrapped, signal)),
    rewrap: (row, wrapped, signal) =>
      awsCoded(() => dataKeys.rewrap(keys[row.purpose], row, wrapped, signal)),
    rotate: (purpose, signal) => awsCoded(() => materials.rotate(keys[purpose], signal)),
    currentVersion: (purpose, signal) => awsCoded(() => materials.current(keys[purpose], signal)),

    check: (purpose, abortSignal) =>
      awsCoded(async () => {
        const KeyId = keys[purpose]
        const { KeyMetadata: key } = await client.send(new sdk.DescribeKeyCommand({ KeyId }), { abortSignal })
        if (key?.KeyState !== 'Enabled' || key.KeySpec !== 'SYMMETRIC_DEFAULT')
          throw awsUnfit(`The key of ${purpose} is not enabled, or not for symmetric encryption.`)
        await materials.versionOf(KeyId, key.CurrentKeyMaterialId, abortSignal)
      }),
  }
}
