import { wipe } from '@symbolon/crypto'
import * as z from 'zod'
import { KmsError } from '../../ports/kms.ts'
import { crc32c } from './crc32c.ts'
import type { GcpCall } from './gcp-calls.ts'
import { cutSecret, pasteSecret } from './secret-json.ts'

/** A key of Cloud KMS by its resource name. Bytes go both ways with their checksums; an altered one is `unavailable`. */
export type GcpKey = {
  /** The number of the primary version. Rejects unless the key encrypts and that version is enabled. */
  primary(name: string, signal: AbortSignal): Promise<number>
  encrypt(name: string, version: number, data: Sealing, signal: AbortSignal): Promise<Uint8Array>
  decrypt(
    name: string,
    data: { wrapped: Uint8Array; aad: Uint8Array },
    signal: AbortSignal,
  ): Promise<Uint8Array>
  /** Makes a version, and makes it primary. */
  rotate(name: string, signal: AbortSignal): Promise<number>
}

type Sealing = { dataKey: Uint8Array; aad: Uint8Array }

/** The operations on keys, over a way to call. */
export function gcpKey(call: GcpCall): GcpKey {
  return {
    async primary(name, signal) {
      const key = keyAnswer.parse(json(await call(name, signal)))
      if (key.purpose === 'ENCRYPT_DECRYPT' && key.primary?.state === 'ENABLED')
        return versionOf(key.primary.name)
      throw new KmsError('unavailable', new Error('A key has no enabled primary version.'))
    },

    async encrypt(name, version, { dataKey, aad }, signal) {
      const open = { ...additional(aad), plaintextCrc32c: String(crc32c(dataKey)) }
      const body = pasteSecret(open, 'plaintext', dataKey)
      try {
        const path = `${name}/cryptoKeyVersions/${version}:encrypt`
        const answer = encryptAnswer.parse(json(await call(path, signal, body)))
        const wrapped = Uint8Array.from(Buffer.from(answer.ciphertext, 'base64'))
        if (answer.verifiedPlaintextCrc32c && answer.ciphertextCrc32c === String(crc32c(wrapped)))
          return wrapped
        throw altered()
      } finally {
        wipe(body)
      }
    },

    async decrypt(name, { wrapped, aad }, signal) {
      const answer = await call(`${name}:decrypt`, signal, {
        ...additional(aad),
        ciphertext: Buffer.from(wrapped).toString('base64'),
        ciphertextCrc32c: String(crc32c(wrapped)),
      })
      const dataKey = cutSecret(answer, 'plaintext')
      if (dataKey === undefined) throw altered()
      if (decryptAnswer.parse(json(answer)).plaintextCrc32c === String(crc32c(dataKey))) return dataKey
      wipe(dataKey)
      throw altered()
    },

    async rotate(name, signal) {
      const made = json(await call(`${name}/cryptoKeyVersions`, signal, {}))
      const version = versionOf(versionAnswer.parse(made).name)
      await call(`${name}:updatePrimaryVersion`, signal, { cryptoKeyVersionId: String(version) })
      return version
    },
  }
}

const versionAnswer = z.object({ name: z.string().regex(/\/cryptoKeyVersions\/[1-9]\d{0,8}$/) })
const keyAnswer = z.object({
  purpose: z.string(),
  primary: versionAnswer.extend({ state: z.string() }).optional(),
})
const encryptAnswer = z.object({
  ciphertext: z.base64(),
  ciphertextCrc32c: z.string(),
  verifiedPlaintextCrc32c: z.boolean().default(false),
})
const decryptAnswer = z.object({ plaintextCrc32c: z.string() })

const altered = () => new KmsError('unavailable', new Error('A data key was lost or altered on its way.'))
const versionOf = (name: string): number => Number(name.slice(name.lastIndexOf('/') + 1))
const json = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString())
const additional = (aad: Uint8Array) => ({
  additionalAuthenticatedData: Buffer.from(aad).toString('base64'),
  additionalAuthenticatedDataCrc32c: String(crc32c(aad)),
})
