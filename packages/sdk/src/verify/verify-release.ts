import {
  isReleaseSignedBy,
  type Measurements,
  readRelease as readImageRelease,
  releaseMeasurements,
} from '@symbolon/crypto/attestation'
import { given } from '../given.ts'

/** A release of the enclave image, parsed from `release.json`, and the key of who must have signed it. */
export type VerifyReleaseOptions = {
  readonly release: unknown
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** What a release says before anybody has verified it. */
export type UnverifiedRelease = {
  readonly version: string
  /** For `measurements` of `requireAttestation`. */
  readonly measurements: Measurements
  /** Base64url; whose it is, `verifyRelease` tells. */
  readonly signature: string | undefined
}

/** Thrown where the expected key did not sign a release. */
export class ReleaseRefusedError extends Error {
  override readonly name = 'ReleaseRefusedError'
}

/**
 * Resolves with the registers of a release of the enclave image, for `measurements` of `requireAttestation`, where the owner of
 * `publicKey` signed it. Rejects with `ReleaseRefusedError` otherwise, and with `TypeError` for what is not a release.
 *
 * @example
 * const measurements = [await verifyRelease({ release: JSON.parse(text), publicKey })]
 */
export async function verifyRelease(options: VerifyReleaseOptions): Promise<Measurements> {
  const { release: value, publicKey } = given('verifyRelease', options, ['release', 'publicKey'])
  const release = readImageRelease(value)
  if (release.signature === undefined) throw new ReleaseRefusedError('Nobody signed this release.')
  if (!(await isReleaseSignedBy(publicKey, release)))
    throw new ReleaseRefusedError('Another key signed this release, or it was changed since.')
  return releaseMeasurements(release)
}

/** Reads a release, parsed from `release.json`, without verifying it. Throws `TypeError` for what is not one. */
export function readRelease(value: unknown): UnverifiedRelease {
  const release = readImageRelease(value)
  return {
    version: release.version,
    measurements: releaseMeasurements(release),
    signature: release.signature,
  }
}
