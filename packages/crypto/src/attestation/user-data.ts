import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalJson } from '../canonical-json.ts'
import { toHex } from '../hex.ts'
import type { PublicJwk } from '../jwk.ts'

/** The image that an enclave runs: its release, and the registers of its document in lower-case hex (48 bytes). */
export type EnclaveImage = {
  readonly version: string
  readonly pcr0: string
  readonly pcr1: string
  readonly pcr2: string
  /** The measurement of the key that signed the image; null where none did. */
  readonly pcr8: string | null
}

/** A key of one boot of the enclave: X25519 for its channel, P-256 for imports, Ed25519 for receipts. */
export type EnclaveKey = {
  /** The thumbprint of `jwk` (RFC 7638). */
  readonly kid: string
  readonly use: 'channel' | 'import' | 'receipt'
  readonly jwk: PublicJwk
}

/** What the user data of a public attestation commits to, in the names and order of nothing but its canonical JSON. */
export type AttestedState = {
  readonly ring_id: string
  readonly image: EnclaveImage
  readonly keys: readonly EnclaveKey[]
  /** Lower-case hex of `manifestSha256`. */
  readonly manifest_sha256: string
}

/**
 * The `user_data` of the documents behind `GET /v1/attestation` and `/v1/attestation/keys/{kid}`: the SHA-256 (32 bytes) of the
 * RFC 8785 JSON of `{ring_id, image, keys, manifest_sha256}`, with exactly the values that the answer shows. The text is a JSON
 * object, and no other text that this project hashes or signs for the channel begins with a brace, so that neither can stand for
 * the other. The enclave makes it, and the verifier makes it again from the answer: one builder for both.
 */
export function attestationUserData({ ring_id, image, keys, manifest_sha256 }: AttestedState): Uint8Array {
  return sha256(new TextEncoder().encode(canonicalJson({ ring_id, image, keys, manifest_sha256 })))
}

/** The hash of a manifest as its successors, the operators' orders and `attestationUserData` name it: hex of the SHA-256 of its RFC 8785 JSON. */
export function manifestSha256(manifest: unknown): string {
  return toHex(sha256(new TextEncoder().encode(canonicalJson(manifest))))
}

/** The nonce of a receipt key's own document: the SHA-256 of its `kid`, which no caller could have asked for before the key was there. */
export function receiptKeyNonce(kid: string): Uint8Array {
  return sha256(new TextEncoder().encode(kid))
}
