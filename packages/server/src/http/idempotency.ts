import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { equalBytes } from '@symbolon/crypto'
import { deriveKey, gcmOpen, gcmOverhead, gcmSeal } from '@symbolon/crypto/node'
import type { Attempt, Attempts } from '../db/attempts.ts'
import type { Queryable } from '../db/pool.ts'
import type { Ids } from '../ports/clock.ts'
import { drain } from '../runtime/drain.ts'
import { idempotencyStore, type KeyUse } from './idempotency.store.ts'

/** The decision for a request with an idempotency key: run, or replay the first answer. */
export type Begun =
  | { kind: 'run'; attemptId: string }
  | { kind: 'replay'; status: number; answer: string }
  | { kind: 'in_flight' }
  | { kind: 'reused' }
  | { kind: 'spent' }

/** Makes the POSTs of a credential repeatable for 24 h (decisions: wire conventions). */
export type Idempotency = {
  /**
   * `bodyHash` is the SHA-256 of the body's raw bytes. Where something of the first request was committed and its answer was lost, it is
   * run again only if `isContinued` says that it continues from its journal; otherwise the key is spent.
   */
  begin(use: KeyUse & { bodyHash: Uint8Array; isContinued?: () => Promise<boolean> }): Promise<Begun>
  /**
   * Keeps the answer (the whole JSON text, empty with 204). Nothing is kept of 5xx, which may pass, nor of 429, where
   * nothing ran; of a success that bears a credential only that the key is spent.
   */
  finish(
    use: KeyUse & { attemptId: string; status: number; answer: string; bearsCredential: boolean },
  ): Promise<void>
  /** Runs an attempt: its transactions note that they are its own. */
  run<result>(attempt: Attempt, work: () => Promise<result>): Promise<result>
  /** Frees the key of a request that came to no answer. */
  abandon(use: KeyUse & { attemptId: string }): Promise<void>
}

const beginsMax = 5
// As long as a key without an answer is taken.
const keeping = { triesMax: 240, pauseMs: 250, onFailure: () => {} }

/** Idempotency keys in the database, run by the process `processId`; answers are sealed under a key of their own, because they hold personal data. */
export function idempotency({
  sql,
  master,
  ids,
  processId,
  attempts,
}: {
  sql: Queryable
  master: KeyObject
  ids: Ids
  processId: string
  attempts: Attempts
}): Idempotency {
  const sealingKey = createSecretKey(deriveKey(master, 'symbolon/v1/idempotency', 32))

  function open(use: KeyUse, sealed: Uint8Array | null): string {
    if (sealed === null) return ''
    const plaintext = Buffer.alloc(Math.max(0, sealed.length - gcmOverhead))
    gcmOpen(sealingKey, sealed, nameOf(use), plaintext)
    return plaintext.toString('utf8')
  }

  return {
    async begin({ bodyHash, isContinued, ...use }) {
      for (let i = 0; i < beginsMax; i++) {
        const attemptId = ids.next()
        if (await idempotencyStore.take(sql, use, bodyHash, { attemptId, processId }))
          return { kind: 'run', attemptId }
        const found = await idempotencyStore.find(sql, use)
        // Freed in between by a first request that failed: ours may be the next one to run.
        if (found === undefined) continue
        if (!equalBytes(found.bodyHash, bodyHash)) return { kind: 'reused' }
        const isCommitted = found.state === 'touched' || found.state === 'committed'
        if (found.state === 'running' || (isCommitted && !found.isLeft)) return { kind: 'in_flight' }
        if (found.status === null && (await isContinued?.()) === true) {
          if (await idempotencyStore.resume(sql, use, bodyHash, { attemptId, processId }))
            return { kind: 'run', attemptId }
          continue
        }
        if (found.state === 'spent' || found.status === null) return { kind: 'spent' }
        return { kind: 'replay', status: found.status, answer: open(use, found.sealedAnswer) }
      }
      return { kind: 'in_flight' }
    },

    async finish({ attemptId, status, answer, bearsCredential, ...use }) {
      if (status >= 500 || status === 429) return settle(() => idempotencyStore.release(sql, use, attemptId))
      const isSpent = bearsCredential && status < 300
      const sealedAnswer = isSpent ? null : gcmSeal(sealingKey, Buffer.from(answer, 'utf8'), nameOf(use))
      await settle(() => idempotencyStore.answer(sql, use, attemptId, { status, sealedAnswer }))
    },

    run: attempts.run,

    abandon: ({ attemptId, ...use }) => settle(() => idempotencyStore.release(sql, use, attemptId)),
  }
}

/**
 * Runs a statement that ends a key's run. If the database fails, its error is thrown and the statement repeated in the background: a key
 * that stayed taken would refuse the repeat of its own request.
 */
async function settle(end: () => Promise<void>): Promise<void> {
  try {
    await end()
  } catch (error) {
    void drain(end, keeping)
    throw error
  }
}

/** Where a key counts: one credential (a key, a session, one token of a user), one method, one path. */
export const idempotencyScope = (credentialId: string, method: string, path: string): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([credentialId, method, path]))
    .digest()

/** Whether a header value can be an idempotency key: 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

const nameOf = ({ scope, key }: KeyUse): Uint8Array => Buffer.concat([scope, Buffer.from(key, 'latin1')])
