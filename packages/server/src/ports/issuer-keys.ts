import type { JSONWebKeySet } from 'jose'

/**
 * The signing keys that an OpenID Connect issuer publishes. `refresh` asks for a set that may be newer than the one that
 * lacked a key. Rejects with `IssuerError`.
 */
export type IssuerKeys = (issuer: string, options?: { refresh: boolean }) => Promise<JSONWebKeySet>

/** The issuer's keys cannot be loaded: `unavailable` is temporary, `invalid` is a document that an operator must fix. */
export type IssuerErrorCode = 'unavailable' | 'invalid'

/** The only error of an issuer; the cause is for the log. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError'
  readonly code: IssuerErrorCode

  constructor(code: IssuerErrorCode, cause?: unknown) {
    super(code === 'invalid' ? 'The issuer publishes invalid documents.' : 'The issuer cannot be reached.', {
      cause,
    })
    this.code = code
  }
}
