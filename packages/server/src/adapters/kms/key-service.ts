import type { EnvelopeContext, KeyPurpose } from '@symbolon/crypto/node'

/** The purposes whose keys the API side holds; `tee-a` belongs to the enclave alone. */
export const apiPurposes = [
  'provider',
  'recovery',
  'tee-b',
  'webhook',
  'pii',
] as const satisfies readonly KeyPurpose[]

/** A purpose of the API side. */
export type ApiPurpose = (typeof apiPurposes)[number]

/** The row that a data key belongs to: canonical, and of a purpose that the API side has. */
export type KeyRow = EnvelopeContext & { purpose: ApiPurpose }

/** A data key under a version, from 1, of its purpose's key. */
export type Wrapped = { keyVersion: number; wrapped: Uint8Array }

/**
 * What a remote key service has to do; `remoteKms` makes a `Kms` of it and adds checks, bounds and retries. Every method gives up when the
 * signal says so, and rejects with `KmsError` or, where the service is out of reach, with anything.
 */
export type KeyService = {
  /** Names the key of a purpose in envelopes: 1 to 255 printable ASCII characters. */
  keyId(purpose: ApiPurpose): string
  /** Makes a data key of 32 bytes, which only this row opens. */
  generate(row: KeyRow, signal: AbortSignal): Promise<Wrapped & { dataKey: Uint8Array }>
  /** Opens the data key of this row. Another row, version or ciphertext must not open. */
  unwrap(row: KeyRow, wrapped: Wrapped, signal: AbortSignal): Promise<Uint8Array>
  /** Wraps the data key of this row under the current version. */
  rewrap(row: KeyRow, wrapped: Wrapped, signal: AbortSignal): Promise<Wrapped>
  /** Makes a new version current and gives its number. Never repeated by `remoteKms`. */
  rotate(purpose: ApiPurpose, signal: AbortSignal): Promise<number>
  /** The number of the current version, as the service says now. */
  currentVersion(purpose: ApiPurpose, signal: AbortSignal): Promise<number>
  /** Resolves when the key of a purpose exists and is fit for use. */
  check(purpose: ApiPurpose, signal: AbortSignal): Promise<void>
}
