/** Whether an ed25519 signature of a message is a key's (RFC 8032); the signature has 64 bytes, a key that is no point has none. */
export type IsSignature = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean

/** A raw signature (64 bytes r‖s or ed25519), its recovery bit (0 or 1; 0 for ed25519) and the signing key. */
export type Signed = {
  readonly signature: Uint8Array
  readonly recovery: number
  readonly publicKey: Uint8Array
}

/**
 * By which scheme a key signs: `plain` is its curve's own (ECDSA, or ed25519), `taproot` is BIP-340 with the key that
 * BIP-86 makes of a secp256k1 key (BIP-341 `taproot_tweak_seckey`, no scripts).
 */
export type SignatureScheme = 'plain' | 'taproot'

/** One thing to sign: a 32-byte digest (secp256k1) or the message itself (ed25519), and its scheme. */
export type SigningDigest = { readonly payload: Uint8Array; readonly scheme: SignatureScheme }

/** What the signer answers for each `SigningDigest`, in their order. */
export type RawSignature = { readonly signature: Uint8Array; readonly recovery: number }

/** A list that is never empty. */
export type NonEmpty<item> = readonly [item, ...item[]]

/** A signature in its network's wire encoding, fields as the API answers them. */
export type EncodedSignature = {
  signature: string
  encoding: 'hex' | 'base64'
  r?: string
  s?: string
  v?: number
  y_parity?: number
  signature_base58?: string
}

/** Tron's signed transaction, names as Tron spells them. */
export type TronTransaction = { raw_data_hex: string; signature: string[]; txID: string }

/** What an assembled transaction adds to the answer. */
export type AssembledTransaction = EncodedSignature & {
  /** Absent where it cannot be derived from the signed bytes (some amino JSON documents of Cosmos). */
  signed_transaction?: string | TronTransaction
  transaction_hash?: string
}

/** The digests of what takes one signature, by its curve's own scheme. */
export function onlyDigest(payload: Uint8Array): NonEmpty<SigningDigest> {
  return [{ payload, scheme: 'plain' }]
}
