/** A call to an address that somebody else configured: an identity provider, a webhook. */
export type OutboundRequest = {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** From the call to the last byte of the answer; never more than 15 s. */
  timeoutMs?: number
}

/** A whole answer: the HTTP status, its headers (lower-case; those that may come once), and at most 64 KiB of body. */
export type OutboundAnswer = {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
}

/** Makes guarded calls (decisions: outbound calls). Rejects with `OutboundError` unless a whole answer was read. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

/** Makes guarded calls, and says beforehand which addresses it would refuse by their text alone. */
export type GuardedOutbound = Outbound & { allows(url: string): boolean }

/** `refused` is ours and final, `redirected` and `too_large` are the answer's fault, the others may pass. */
export type OutboundErrorCode = 'refused' | 'redirected' | 'too_large' | 'timed_out' | 'unreachable'

const messages: Record<OutboundErrorCode, string> = {
  refused: 'Calls to this address are not allowed.',
  redirected: 'The other side answered with a redirect, which is never followed.',
  too_large: 'The answer is too large.',
  timed_out: 'The other side did not answer in time.',
  unreachable: 'The other side cannot be reached.',
}

/** The only error of an outbound call; the cause is for the log. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, cause?: unknown) {
    super(messages[code], { cause })
    this.code = code
  }
}
