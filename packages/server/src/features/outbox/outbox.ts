import type { KeyObject } from 'node:crypto'
import { createSecretKey } from 'node:crypto'
import { uuidToBytes } from '@symbolon/crypto'
import { deriveKey, gcmOpen, gcmOverhead, gcmSeal } from '@symbolon/crypto/node'
import type { Ids } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mailer.ts'

/** A row of the outbox, ready to be inserted in the transaction that causes the mail. */
export type SealedMail = { id: string; sealedPayload: Uint8Array }

/** Where mails wait, durably and sealed, for a worker to send them. */
export type Outbox = {
  /** Seals a mail under the id of its row. The caller inserts it with what causes it, then nudges. */
  seal(mail: Omit<Mail, 'id'>): SealedMail
  /** Opens what `seal` made. Throws `EnvelopeError` for another row's, an altered one, or another server's. */
  open(sealed: SealedMail): Mail
  /** Tells this process's worker that a row was committed, so that it leaves at once. */
  nudge(): void
}

/** Makes the outbox; its sealing key is derived from `master` and serves nothing else. */
export function outbox({
  master,
  ids,
  onNudge,
}: {
  master: KeyObject
  ids: Ids
  onNudge: () => void
}): Outbox {
  const key = createSecretKey(deriveKey(master, 'symbolon/v1/outbox', 32))
  return {
    seal(mail) {
      const id = ids.next()
      const plaintext = Buffer.from(JSON.stringify(mail), 'utf8')
      return { id, sealedPayload: gcmSeal(key, plaintext, uuidToBytes(id)) }
    },
    open({ id, sealedPayload }) {
      const plaintext = Buffer.alloc(Math.max(0, sealedPayload.length - gcmOverhead))
      gcmOpen(key, sealedPayload, uuidToBytes(id), plaintext)
      const { to, subject, text, html } = JSON.parse(plaintext.toString('utf8')) as Omit<Mail, 'id'>
      return { id, to, subject, text, html }
    },
    nudge: onNudge,
  }
}
