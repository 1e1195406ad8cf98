import { createHash } from 'node:crypto'
import { ApiError, type Route } from '@symbolon/api'
import { type Idempotency, idempotencyScope, isIdempotencyKey } from './idempotency.ts'

/** A whole answer; the body is absent with 204. */
export type Answer = { status: number; body: string | undefined }

/** A request with an `Idempotency-Key`; `path` is the route's with its parameters, however it was spelled. */
export type IdempotentRequest = {
  route: Route
  credentialId: string
  path: string
  key: string
  rawBody: Uint8Array
  /** Whether a 400 is kept too: in the publishable lane, no rate may have counted it. */
  isRefusalKept: boolean
  run: () => Promise<Answer>
  /** Whether the request continues what an earlier one committed before it lost its answer. */
  isContinued?: (() => Promise<boolean>) | undefined
  /** Turns an error into its answer. */
  refuse: (error: unknown) => Answer
}

/** Runs a request once per idempotency key and answers repeats with the first answer. */
export async function runIdempotently(
  idempotency: Idempotency,
  request: IdempotentRequest,
): Promise<Answer & { isReplay: boolean }> {
  const { route, key } = request
  if (!isIdempotencyKey(key)) {
    throw new ApiError('invalid_request', {
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    })
  }
  const use = { scope: idempotencyScope(request.credentialId, route.method, request.path), key }
  const bodyHash = createHash('sha256').update(request.rawBody).digest()
  const { isContinued } = request
  const begun = await idempotency.begin({ ...use, bodyHash, ...(isContinued && { isContinued }) })
  switch (begun.kind) {
    case 'in_flight':
      throw new ApiError('idempotency_key_in_flight')
    case 'reused':
      throw new ApiError('idempotency_key_reused')
    case 'spent':
      throw new ApiError('idempotency_key_spent')
    case 'replay':
      return { status: begun.status, body: begun.answer === '' ? undefined : begun.answer, isReplay: true }
    case 'run':
      break
  }
  const { attemptId } = begun
  let answer: Answer
  let failure: { error: unknown } | undefined
  try {
    answer = await idempotency.run({ ...use, attemptId }, request.run)
  } catch (error) {
    answer = request.refuse(error)
    failure = { error }
  }
  if (answer.status === 400 && !request.isRefusalKept) await idempotency.abandon({ ...use, attemptId })
  else
    await idempotency.finish({
      ...use,
      attemptId,
      status: answer.status,
      answer: answer.body ?? '',
      bearsCredential: route.bearsCredential === true,
    })
  // Thrown on, so that a refusal is logged and answered as any other.
  if (failure !== undefined) throw failure.error
  return { ...answer, isReplay: false }
}
