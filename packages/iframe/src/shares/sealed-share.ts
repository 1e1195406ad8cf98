import { utf8Bytes } from '../text-bytes.ts'
import type { ShareRow } from './share-storage.ts'

/** Whose share it is; all of it is authenticated. */
export type SharePosition = Omit<ShareRow, 'iv' | 'ciphertext'>

/** Encrypts a share under the browser's key, bound to its position. The share itself is left as it is. */
export async function sealShare(
  key: CryptoKey,
  position: SharePosition,
  share: Uint8Array,
  iv: Uint8Array,
): Promise<ShareRow> {
  const nonce = new Uint8Array(iv)
  const copy = new Uint8Array(share)
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: context(position) }
  try {
    const ciphertext = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, copy))
    return { ...position, iv: nonce, ciphertext }
  } finally {
    copy.fill(0)
  }
}

/** The share of a row, or `undefined` where the row was changed, moved or written by another browser. */
export async function openShare(key: CryptoKey, row: ShareRow): Promise<Uint8Array | undefined> {
  const { iv, ciphertext, ...position } = row
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData: context(position) }
    const share = new Uint8Array(await crypto.subtle.decrypt(algorithm, key, ciphertext))
    return share.length === 33 ? share : undefined
  } catch {
    return undefined
  }
}

function context(position: SharePosition): Uint8Array<ArrayBuffer> {
  const { id, organization_id, user_identity_id, curve, public_key, wallet_id, version } = position
  return utf8Bytes(
    JSON.stringify([
      'device-share/v1',
      id,
      organization_id,
      user_identity_id,
      curve,
      public_key,
      wallet_id,
      version,
    ]),
  )
}
