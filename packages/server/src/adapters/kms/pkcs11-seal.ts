import { randomFillSync } from 'node:crypto'
import { wipe } from '@symbolon/crypto'
import { KmsError } from '../../ports/kms.ts'
import type { KeyRow, Wrapped } from './key-service.ts'
import { newest } from './pkcs11-keys.ts'
import type { Handle, Mechanism, Pkcs11Module } from './pkcs11-module.ts'
import type { TokenSession } from './pkcs11-token.ts'

/** Length of a data key, in bytes. */
export const dataKeyLength = 32
const ivLength = 12
const tagLength = 16

/** Seals and opens data keys inside a token, with the versions of their key: iv, ciphertext and tag of AES-256-GCM. */
export type TokenSeal = {
  seal(
    session: TokenSession,
    versions: Map<number, Handle>,
    row: KeyRow,
    dataKey: Uint8Array,
  ): Promise<Wrapped>
  open(
    session: TokenSession,
    versions: Map<number, Handle>,
    row: KeyRow,
    wrapped: Wrapped,
  ): Promise<Uint8Array>
}

/** `aadOf` gives what a data key is authenticated with. */
export function tokenSeal(
  module: Pkcs11Module,
  aadOf: (row: KeyRow, keyVersion: number) => Uint8Array,
): TokenSeal {
  const gcm = (iv: Uint8Array, aad: Uint8Array): Mechanism => ({
    mechanism: module.CKM_AES_GCM,
    parameter: {
      type: module.CK_PARAMS_AES_GCM_v240,
      iv: Buffer.from(iv),
      ivBits: ivLength * 8,
      aad: Buffer.from(aad),
      tagBits: tagLength * 8,
    },
  })

  async function encrypt(session: TokenSession, key: Handle, dataKey: Uint8Array, aad: Uint8Array) {
    const iv = randomFillSync(new Uint8Array(ivLength))
    const input = Buffer.from(dataKey)
    try {
      const sealed = await session.encrypt(gcm(iv, aad), key, input, dataKeyLength + tagLength)
      return Uint8Array.from([...iv, ...sealed])
    } finally {
      wipe(input)
    }
  }

  return {
    async seal(session, versions, row, dataKey) {
      const { version, handle } = newest(versions)
      return { keyVersion: version, wrapped: await encrypt(session, handle, dataKey, aadOf(row, version)) }
    },

    async open(session, versions, row, { keyVersion, wrapped }) {
      const handle = versions.get(keyVersion)
      if (handle === undefined) throw new KmsError('unknown_key')
      if (wrapped.length !== ivLength + dataKeyLength + tagLength) throw new KmsError('invalid_request')
      const aad = aadOf(row, keyVersion)
      const input = Buffer.from(wrapped.subarray(ivLength))
      try {
        const opened = await session.decrypt(
          gcm(wrapped.subarray(0, ivLength), aad),
          handle,
          input,
          input.length,
        )
        const dataKey = Uint8Array.from(opened)
        wipe(opened)
        return dataKey
      } catch (error) {
        // A token that can still encrypt refused these bytes; `CKR_GENERAL_ERROR`, as SoftHSM says, could be anything.
        if (isRefusal(error)) await encrypt(session, handle, new Uint8Array(dataKeyLength), aad)
        throw isRefusal(error) ? new KmsError('unauthenticated', error) : error
      }
    },
  }
}

/** `CKR_GENERAL_ERROR`, `CKR_DATA_INVALID`, `CKR_ENCRYPTED_DATA_INVALID` and `CKR_ENCRYPTED_DATA_LEN_RANGE`. */
const refusals: readonly unknown[] = [0x05, 0x20, 0x40, 0x41]
const isRefusal = (error: unknown) =>
  error instanceof Error && 'code' in error && refusals.includes(error.code)
