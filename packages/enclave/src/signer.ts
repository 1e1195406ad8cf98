import type { SignatureAnswer } from '@symbolon/crypto/node'

/** One curve's signer; secrets stay in the slots it is given. */
export type Signer = {
  /** Length of the public key: 33 (secp256k1, compressed) or 32 (ed25519). */
  readonly publicKeyBytes: number
  /** Says whether 32 random bytes are a private key of the curve. */
  isPrivateKey(key: Uint8Array): boolean
  /** The public key of `key`; `work` (64 bytes of locked memory) receives what `sign` needs of it. */
  publicKey(key: Uint8Array, work: Uint8Array): Uint8Array
  /** Signs with what `publicKey` left in `key` and `work`; deterministic. */
  sign(payload: Uint8Array, key: Uint8Array, work: Uint8Array): SignatureAnswer
  verify(payload: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean
}
