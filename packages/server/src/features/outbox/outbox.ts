import { createSecretKey, type KeyObject } from 'node:crypto'
import { uuidToBytes } from '@symbolon/crypto'
import { deriveKey, gcmOpen, gcmOverhead, gcmSeal } from '@symbolon/crypto/node'
import type { Ids } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mailer.ts'

/** What waits in the outbox; each kind has its own sealing key and its own workers. */
export type OutboxKind = 'mail' | 'webhook'

/** A row of the outbox, ready to be inserted in the transaction that causes what it holds. */
export type SealedRow = { id: string; sealedPayload: Uint8Array }

/** A durable queue of sealed messages of one kind, which a worker sends; emails unless `content` says otherwise. */
export type Outbox<content extends object = Omit<Mail, 'id'>> = {
  /** Seals a message under the id of its row. The caller inserts it with what causes it, then nudges. */
  seal(message: content): SealedRow
  /** Opens what `seal` made. Throws `EnvelopeError` for another row's, an altered one, or another server's. */
  open(sealed: SealedRow): content & { id: string }
  /** Wakes this process's worker after a row was committed, so that it leaves at once. */
  nudge(): void
}

// Rows that earlier releases sealed are emails.
const keyNames: Record<OutboxKind, string> = {
  mail: 'symbolon/v1/outbox',
  webhook: 'symbolon/v1/outbox/webhook',
}

/** Makes the outbox of a kind, whose messages are plain JSON; its sealing key is derived from `master` and serves nothing else. */
export function outbox<content extends object = Omit<Mail, 'id'>>({
  master,
  kind,
  ids,
  onNudge,
}: {
  master: KeyObject
  kind: OutboxKind
  ids: Ids
  onNudge: () => void
}): Outbox<content> {
  const key = createSecretKey(deriveKey(master, keyNames[kind], 32))
  return {
    seal(message) {
      const id = ids.next()
      const plaintext = Buffer.from(JSON.stringify(message), 'utf8')
      return { id, sealedPayload: gcmSeal(key, plaintext, uuidToBytes(id)) }
    },
    open({ id, sealedPayload }) {
      const plaintext = Buffer.alloc(Math.max(0, sealedPayload.length - gcmOverhead))
      gcmOpen(key, sealedPayload, uuidToBytes(id), plaintext)
      return { ...(JSON.parse(plaintext.toString('utf8')) as content), id }
    },
    nudge: onNudge,
  }
}
