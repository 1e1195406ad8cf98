import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '@symbolon/api'
import { isFailure } from '../runtime/failure.ts'
import type { Queryable, Sql, Transaction } from './sql.ts'

/** One run of a request under an idempotency key. `hasSucceeded`: the transaction at hand records a success of it, or nothing is said of it. */
export type Attempt = {
  readonly scope: Uint8Array
  readonly key: string
  readonly attemptId: string
  hasSucceeded?: boolean
}

/** Which attempt the code at hand works for; none in work that outlives its request. */
export type Attempts = {
  run<result>(attempt: Attempt, work: () => Promise<result>): Promise<result>
  current(): Attempt | undefined
}

/** Makes the attempts of one process. */
export function attempts(): Attempts {
  const storage = new AsyncLocalStorage<{ attempt: Attempt | undefined }>()
  return {
    async run(attempt, work) {
      const held: { attempt: Attempt | undefined } = { attempt }
      try {
        return await storage.run(held, work)
      } finally {
        // What was begun and not waited for is its own.
        held.attempt = undefined
      }
    },
    current: () => storage.getStore()?.attempt,
  }
}

/**
 * The pool, whose transactions note in themselves that they belong to an attempt: what was committed is known after any death. One whose
 * attempt was taken over, because its process seemed dead, is rolled back and throws `unavailable`.
 */
export function journaled(sql: Sql, { current, run }: Attempts): Sql {
  const tagged = <rows extends readonly unknown[]>(...given: Parameters<Sql>) => sql<rows>(...given)
  const begin = <result>(work: (tx: Transaction) => Promise<result>): Promise<result> => {
    const attempt = current()
    if (attempt === undefined) return sql.begin(work)
    // Its own record: other transactions of the attempt may be open meanwhile.
    const own = { ...attempt, hasSucceeded: false }
    return run(own, () =>
      sql.begin(async (tx) => {
        const result = await work(tx)
        if (!isFailure(result)) await note(tx, own)
        return result
      }),
    )
  }
  return Object.assign(tagged, sql, {
    begin,
    alone: <result>(work: (on: Queryable) => Promise<result>) =>
      current() === undefined ? sql.alone(work) : begin(work),
  })
}

async function note(tx: Queryable, { scope, key, attemptId, hasSucceeded = false }: Attempt): Promise<void> {
  const rows = await tx<{ isOurs: boolean }[]>`
    select note_attempt(attempt_scope => ${scope}::bytea, attempt_key => ${key}, attempt => ${attemptId},
      has_succeeded => ${hasSucceeded}) as "isOurs"`
  if (rows[0]?.isOurs !== true) throw new ApiError('unavailable')
}
