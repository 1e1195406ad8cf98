import type { AttestationPolicy } from './policy.ts'
import { documentFailures, measuredRegisters, openDocument } from './verify-document.ts'

/** What this document is verified against; `now` is Unix time in ms. Its key has 32 bytes (X25519) unless stated otherwise. */
export type AttestationChallenge = {
  readonly nonce: Uint8Array
  readonly userData: Uint8Array
  readonly now: number
  readonly publicKeyBytes?: number
}

/** What a verified document proves. */
export type AttestedEnclave = {
  /** The key of this boot that the document is about. */
  readonly publicKey: Uint8Array
  readonly simulated: boolean
  /** PCR index to hex, all-zero registers left out. */
  readonly measurements: Record<string, string>
}

const channelKeyBytes = 32

/**
 * Verifies the attestation document of an enclave that this side is about to talk to, against its policy and a challenge of this
 * connection. Rejects with `AttestationError`, whose code names the first check that failed.
 */
export async function attestedEnclave(
  bytes: Uint8Array,
  policy: AttestationPolicy,
  { nonce, userData, now, publicKeyBytes = channelKeyBytes }: AttestationChallenge,
): Promise<AttestedEnclave> {
  const document = openDocument(bytes)
  const { publicKey = new Uint8Array() } = document
  const [failure] = await documentFailures(document, {
    rootSha256: policy.rootSha256,
    measurements: policy.measurements,
    atMs: now,
    isAgeChecked: true,
    nonce,
    userData,
    isPublicKey: ({ length }) => length === publicKeyBytes,
  })
  if (failure !== undefined) throw failure
  return { publicKey, simulated: policy.simulated, measurements: measuredRegisters(document) }
}
