import type { ActorType, AuditEventType } from '@symbolon/api'
import type { Attempt } from '../../db/attempts.ts'
import type { Transaction } from '../../db/pool.ts'

/** A security-relevant action as it is recorded. `payload` holds our own words and ids only: never secrets, never free user text. */
export type AuditEvent = {
  organizationId: string
  type: AuditEventType
  userIdentityId?: string
  walletId?: string
  actorType: ActorType
  actorId: string
  payload?: Record<string, unknown>
  success: boolean
  errorCode?: string
  /** What is stored in the event's transaction: the receipt of the signature that it releases, or a number whose receipt never leaves. */
  receipt?: NumberedReceipt
}

/** The place of a receipt: `counter` rises by one, from 1, per receipt key (`kid`) and organization. */
export type ReceiptNumber = { kid: string; counter: number }

/** A receipt as the enclave made it; without `issued` its number alone, since neither it nor its signature left. */
export type NumberedReceipt = ReceiptNumber & {
  issued?: { receiptId: string; walletId: string; issuedAt: string; jws: string }
}

/** What must still hold at the commit for the answer to leave: checked under the lock that archive, revoke and logout take. */
export type Guard = {
  walletId?: string
  apiKeyId?: string
  /** Hex of what `revoked_tokens` knows the token by, and its expiry (ISO 8601). */
  token?: { hash: string; expiresAt: string }
}

/** Why an answer may not leave; error codes of the contract. */
export type BrokenGuard = 'unauthorized' | 'token_revoked' | 'token_expired' | 'wallet_archived' | 'not_found'

/** An event on its way, with its guard and the attempt of an idempotency key that it belongs to. */
export type Entry = {
  id: string
  event: AuditEvent
  guard?: Guard
  missedReported?: number
  attempt?: Attempt
}

/** The audit log as features write it. */
export type Audit = {
  /** Records an event with the change it describes, in the caller's transaction. Best effort, as `write` is. */
  append(tx: Transaction, event: AuditEvent): Promise<void>
  /**
   * `append`, if the guard holds. A broken one is returned, and the caller rolls back and records the refusal. Throws
   * `unavailable` when the database is away.
   */
  appendIf(tx: Transaction, event: AuditEvent, guard: Guard): Promise<BrokenGuard | undefined>
  /** Records an event before it returns. Best effort: a failed write is counted, reported later by `audit.gap`, and fails nobody. */
  write(event: AuditEvent): Promise<void>
  /**
   * Records the event durably if the guard holds, and only then lets the answer go. A broken guard is recorded as a refused
   * action and returned. Throws `unavailable` when the database is away: then nothing may be released.
   */
  release(event: AuditEvent, guard: Guard): Promise<BrokenGuard | undefined>
  /** Reports events that were missed earlier: for code that commits events itself and learns that some are unreported. */
  reportGap(organizationId: string, missed: number): void
}
