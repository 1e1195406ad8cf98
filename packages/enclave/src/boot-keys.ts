import { type EnclaveKey, jwkThumbprint, type PublicJwk } from '@symbolon/crypto/attestation'
import { sodium } from './native.ts'
import type { SecureSlots, Slot } from './secure-slots.ts'

/** The key of this boot that receipts are signed with: never written down, and gone with the process. */
export type ReceiptKey = { readonly publicKey: Uint8Array; readonly kid: string; readonly secret: Slot }

/** Makes the receipt key of this boot in locked memory. */
export function makeReceiptKey(slots: SecureSlots): ReceiptKey {
  const secret = slots.take()
  const publicKey = new Uint8Array(32)
  const seed = sodium.sodium_malloc(32)
  sodium.randombytes_buf(seed)
  sodium.crypto_sign_seed_keypair(publicKey, secret.full, seed)
  sodium.sodium_memzero(seed)
  return { publicKey, kid: jwkThumbprint(okp('Ed25519', publicKey)), secret }
}

/** The public keys of a boot: X25519 (32 bytes) for channels, P-256 (65 bytes, uncompressed) for imports, Ed25519 (32 bytes) for receipts. */
export function bootKeys(keys: {
  channel: Uint8Array
  importKey: Uint8Array
  receipt: Uint8Array
}): EnclaveKey[] {
  const { channel, importKey, receipt } = keys
  const [x, y] = [importKey.subarray(1, 33), importKey.subarray(33)].map(base64Url)
  return [
    named('channel', okp('X25519', channel)),
    named('import', { kty: 'EC', crv: 'P-256', x: x ?? '', y }),
    named('receipt', okp('Ed25519', receipt)),
  ]
}

const named = (use: EnclaveKey['use'], jwk: PublicJwk): EnclaveKey => ({ kid: jwkThumbprint(jwk), use, jwk })

const okp = (crv: 'X25519' | 'Ed25519', key: Uint8Array): PublicJwk => ({
  kty: 'OKP',
  crv,
  x: base64Url(key),
})

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
