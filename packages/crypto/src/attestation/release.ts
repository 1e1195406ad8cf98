import { base64UrlBytes } from '../base64.ts'
import { canonicalJson } from '../canonical-json.ts'
import { isEd25519Signature } from './ed25519.ts'
import type { Measurements } from './policy.ts'
import type { EnclaveImage } from './user-data.ts'

/** A release of the enclave image: what the hardware measures of it, and the signature of who released it. */
export type ImageRelease = EnclaveImage & {
  /** Ed25519 over `releaseText`, base64url; absent where nobody signed it. */
  readonly signature?: string | undefined
}

const isRegister = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{96}$/.test(value)

/**
 * Reads a release, parsed from JSON: `{version, pcr0, pcr1, pcr2, pcr8, signature}` with registers in lower-case hex. `pcr8` is null,
 * absent or all zero for an image that is not signed itself. Throws `TypeError` for anything else, unknown members included, since a
 * signature would not cover them.
 */
export function readRelease(value: unknown): ImageRelease {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('A release is a JSON object.')
  const { version, pcr0, pcr1, pcr2, pcr8 = null, signature, ...unknown } = value as Record<string, unknown>
  const [stranger] = Object.keys(unknown)
  if (stranger !== undefined) throw new TypeError(`A release has no member ${stranger}.`)
  if (typeof version !== 'string' || version === '') throw new TypeError('A release needs its version.')
  if (!isRegister(pcr0) || !isRegister(pcr1) || !isRegister(pcr2))
    throw new TypeError('A release needs pcr0, pcr1 and pcr2 as 96 lower-case hex digits.')
  if (pcr8 !== null && !isRegister(pcr8))
    throw new TypeError('The pcr8 of a release is null or 96 lower-case hex digits.')
  if (signature !== undefined && base64UrlBytes(signature)?.length !== 64)
    throw new TypeError('The signature of a release is 64 bytes in base64url.')
  return {
    version,
    pcr0,
    pcr1,
    pcr2,
    pcr8: pcr8 === null || !/[^0]/.test(pcr8) ? null : pcr8,
    ...(typeof signature === 'string' && { signature }),
  }
}

/** The registers that an enclave of this release has, for `ExpectedEnclave`. */
export function releaseMeasurements({ pcr0, pcr1, pcr2, pcr8 }: EnclaveImage): Measurements {
  return { 0: pcr0, 1: pcr1, 2: pcr2, ...(pcr8 !== null && { 8: pcr8 }) }
}

/** What the signature of a release is over: a line that nothing else signed here begins with, and the RFC 8785 JSON of the image. */
export function releaseText({ version, pcr0, pcr1, pcr2, pcr8 }: EnclaveImage): Uint8Array {
  return new TextEncoder().encode(`symbolon release\n${canonicalJson({ version, pcr0, pcr1, pcr2, pcr8 })}`)
}

/** Whether the owner of an Ed25519 key (32 bytes) signed this release; false where nobody did. */
export async function isReleaseSignedBy(publicKey: Uint8Array, release: ImageRelease): Promise<boolean> {
  const signature = base64UrlBytes(release.signature)
  return signature !== undefined && isEd25519Signature(publicKey, signature, releaseText(release))
}
