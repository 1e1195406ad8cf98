import { type EnclaveFacts, enclaveStatuses, type WireReader } from '@symbolon/crypto/node'
import { EnclaveError, type EnclaveErrorCode, type RingFault, type RolledBack } from '../ports/enclave.ts'

/** A request that waits for its answer. */
export type WaitingRequest = {
  resolve(answer: unknown): void
  reject(error: EnclaveError): void
  read(body: WireReader): unknown
  /** The same answer from what an enclave says before there is a channel, where that is enough. */
  fromFacts?: ((facts: EnclaveFacts) => unknown) | undefined
  sinceMs: number
  deadlineMs: number
  /** How long the answer may take once the request is sent. */
  answerMs: number
  isSent: boolean
}

/** Requests that wait for their answers, by id. */
export type Waiting = Map<number, WaitingRequest>

const codes = new Map<number, EnclaveErrorCode>([
  [enclaveStatuses.invalid_payload, 'invalid_payload'],
  [enclaveStatuses.key_mismatch, 'key_mismatch'],
  [enclaveStatuses.refused, 'refused'],
  [enclaveStatuses.expired, 'expired'],
])

const rolledBack = new Map<number, RolledBack>([
  [enclaveStatuses.rolled_back_session, 'session'],
  [enclaveStatuses.rolled_back_policy, 'policy'],
  [enclaveStatuses.rolled_back_rules, 'rules'],
  [enclaveStatuses.rolled_back_wallet, 'wallet'],
  [enclaveStatuses.rolled_back_budget, 'budget'],
  [enclaveStatuses.rolled_back_boot, 'boot'],
])

/**
 * Hands an answer to the request that waits for it; an answer to none is dropped. Throws what reading it throws, once the request is
 * rejected.
 */
export function settle(waiting: Waiting, id: number, status: number, body: WireReader): void {
  const entry = waiting.get(id)
  if (entry === undefined) return
  waiting.delete(id)
  const error = answerError(status)
  if (error !== undefined) {
    entry.reject(error)
    return
  }
  try {
    entry.resolve(entry.read(body))
  } catch (cause) {
    entry.reject(new EnclaveError('unavailable', cause))
    throw cause
  }
}

/** Answers what an enclave without a channel has answered already. */
export function settleByFacts(waiting: Waiting, facts: EnclaveFacts): void {
  for (const [id, entry] of waiting) {
    if (entry.fromFacts === undefined) continue
    waiting.delete(id)
    entry.resolve(entry.fromFacts(facts))
  }
}

/** Rejects the requests that `isMeant` picks as `unavailable`. */
export function rejectAll(
  waiting: Waiting,
  isMeant: (request: WaitingRequest) => boolean,
  cause: string,
  ring?: RingFault,
): void {
  for (const [id, entry] of waiting) {
    if (!isMeant(entry)) continue
    waiting.delete(id)
    entry.reject(new EnclaveError('unavailable', cause, { ring }))
  }
}

/** Whether a status byte says that the enclave saw a later state. */
export const isRolledBack = (status: number): boolean => rolledBack.has(status)

/** The error that a status byte stands for, `undefined` for success; what is not known is `unavailable`. */
export function answerError(status: number): EnclaveError | undefined {
  if (status === enclaveStatuses.ok) return undefined
  const what = rolledBack.get(status)
  if (what !== undefined)
    return new EnclaveError('state_rolled_back', `status ${status}`, { rolledBack: what })
  return new EnclaveError(codes.get(status) ?? 'unavailable', `status ${status}`)
}
