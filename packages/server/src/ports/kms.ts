import type { EnvelopeContext, KeyPurpose, WrappedKey } from '@symbolon/crypto/node'

/**
 * The key management service that holds the API side's key-encryption keys. Every method rejects with `KmsError`;
 * the suite every adapter passes is in kms.contract.ts.
 */
export type Kms = {
  /** Makes a fresh 32-byte data key for one row, wrapped under the current version; the caller wipes `dataKey`. */
  generateDataKey(
    purpose: KeyPurpose,
    context: EnvelopeContext,
  ): Promise<{ dataKey: Uint8Array; wrappedKey: WrappedKey }>
  /** Gives the data key of this very row back, under any version that was ever current. The caller wipes it. */
  unwrap(wrappedKey: WrappedKey, context: EnvelopeContext): Promise<Uint8Array>
  /** Wraps the same data key under the current version, without handing it out. */
  rewrap(wrappedKey: WrappedKey, context: EnvelopeContext): Promise<WrappedKey>
  /** Makes a new version current; older ones still unwrap. */
  rotate(purpose: KeyPurpose): Promise<{ keyId: string; version: number }>
  /** The number of the current version, from 1. */
  currentVersion(purpose: KeyPurpose): Promise<number>
  /** Names the key of a purpose, as its envelopes do; `unknown_key` where there is none. Whether a remote service has it, `ping` says. */
  keyId(purpose: KeyPurpose): Promise<string>
  /** Resolves when keys can be made and unwrapped right now; `unknown_key` where one does not exist. */
  ping(): Promise<void>
}

/** Why a KMS cannot serve an installation: it does not have the key that the database names, or names another one. */
export type KeyFault = { reason: 'key_missing' | 'key_foreign'; purpose: KeyPurpose }

/** `unavailable` is temporary or needs an operator; with the other codes, the request will never succeed. */
export type KmsErrorCode = 'unavailable' | 'unknown_key' | 'invalid_request' | 'unauthenticated'

const messages: Record<KmsErrorCode, string> = {
  unavailable: 'The key management service is unreachable.',
  unknown_key: 'The key management service has no such key.',
  invalid_request: 'The wrapped key or its context is malformed.',
  unauthenticated: 'The wrapped key belongs to another row, or was altered.',
}

const faultMessages: Record<KeyFault['reason'], string> = {
  key_missing: 'does not have the key that the database names',
  key_foreign: 'has other keys than the database names',
}

/** The only error of a KMS; its cause is for the log and holds no key bytes. `fault`: it is unavailable because of its keys. */
export class KmsError extends Error {
  override name = 'KmsError'
  readonly code: KmsErrorCode
  readonly fault: KeyFault | undefined

  constructor(code: KmsErrorCode, cause?: unknown, fault?: KeyFault) {
    const message = fault && `The key management service ${faultMessages[fault.reason]} (${fault.purpose}).`
    super(message ?? messages[code], { cause })
    this.code = code
    this.fault = fault
  }
}
