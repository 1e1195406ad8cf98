import { setTimeout as sleep } from 'node:timers/promises'
import type { KMSClient, RotationsListEntry } from '@aws-sdk/client-kms'
import { KmsError } from '../../ports/kms.ts'

/** The key materials of AWS KMS keys, numbered from 1 in the order of their rotations. */
export type AwsKeyMaterials = {
  /** The number of a material that an answer names. */
  versionOf(keyId: string, materialId: string | undefined, signal: AbortSignal): Promise<number>
  /** The number of the current material, as AWS says now. */
  current(keyId: string, signal: AbortSignal): Promise<number>
  /** Orders a rotation and waits until it is complete, for as long as the signal allows; gives the number of the new material. */
  rotate(keyId: string, signal: AbortSignal): Promise<number>
}

const pausesMs = 200

/** Numbers are read when an answer names a material that is not known yet: a material never changes its place. */
export function awsKeyMaterials(
  client: KMSClient,
  sdk: Pick<typeof import('@aws-sdk/client-kms'), 'ListKeyRotationsCommand' | 'RotateKeyOnDemandCommand'>,
): AwsKeyMaterials {
  const numbers = new Map<string, number>()

  async function read(KeyId: string, abortSignal: AbortSignal): Promise<number> {
    const entries: RotationsListEntry[] = []
    let Marker: string | undefined
    do {
      const page = await client.send(
        new sdk.ListKeyRotationsCommand({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL', Marker }),
        { abortSignal },
      )
      entries.push(...(page.Rotations ?? []))
      Marker = page.Truncated === true ? page.NextMarker : undefined
    } while (Marker !== undefined)
    // The first material has no date, nor has one that still waits for its rotation.
    const rotated = entries
      .filter(({ KeyMaterialState: state }) => state === 'CURRENT' || state === 'NON_CURRENT')
      .sort((a, b) => (a.RotationDate?.getTime() ?? 0) - (b.RotationDate?.getTime() ?? 0))
    for (const [index, { KeyMaterialId: id }] of rotated.entries())
      if (id !== undefined) numbers.set(id, index + 1)
    if (rotated.at(-1)?.KeyMaterialState !== 'CURRENT')
      throw new KmsError('unavailable', new Error('AWS KMS lists no current key material.'))
    return rotated.length
  }

  return {
    async versionOf(keyId, materialId, signal) {
      if (materialId === undefined)
        throw new KmsError('unavailable', new Error('The answer of AWS KMS names no key material.'))
      if (!numbers.has(materialId)) await read(keyId, signal)
      const number = numbers.get(materialId)
      if (number === undefined)
        throw new KmsError('unavailable', new Error('AWS KMS does not list the key material yet.'))
      return number
    },

    current: read,

    async rotate(keyId, signal) {
      const before = await read(keyId, signal)
      await client.send(new sdk.RotateKeyOnDemandCommand({ KeyId: keyId }), { abortSignal: signal })
      for (;;) {
        const version = await read(keyId, signal)
        if (version > before) return version
        await sleep(pausesMs, undefined, { signal })
      }
    },
  }
}
