import type { Queryable } from '../db/pool.ts'

/** What names one use of an idempotency key. */
export type KeyUse = { scope: Uint8Array; key: string }

/** A key that is in use, by whoever got there first. */
export type KeyRecord = {
  bodyHash: Uint8Array
  state: 'running' | 'touched' | 'committed' | 'answered' | 'spent'
  status: number | null
  sealedAnswer: Uint8Array | null
  /** It has been in use for longer than any request runs. */
  isLeft: boolean
}

type KeyRow = {
  body_hash: Uint8Array
  state: KeyRecord['state']
  status: number | null
  sealed_answer: Uint8Array | null
  is_left: boolean
}

/** The statements of idempotency keys; a key lives for 24 h by the database's clock. */
export const idempotencyStore = {
  /**
   * Takes a key that is free: never used, past its 24 h, or left behind with the same body by a request that has been
   * running for a minute, which none does, and of which nothing was committed. It is run by `processId`. Exactly one of those who ask at once gets `true`.
   */
  async take(
    sql: Queryable,
    { scope, key }: KeyUse,
    bodyHash: Uint8Array,
    { attemptId, processId }: { attemptId: string; processId: string },
  ): Promise<boolean> {
    const rows = await sql`
      with clock as materialized (select app_now() as now)
      insert into idempotency_keys as k (scope, key, body_hash, state, attempt_id, process_id, started_at, expires_at)
      select ${scope}, ${key}, ${bodyHash}, 'running', ${attemptId}, ${processId}, now, now + interval '24 hours' from clock
      on conflict (scope, key) do update set
        body_hash = excluded.body_hash, state = 'running', attempt_id = excluded.attempt_id,
        process_id = excluded.process_id, status = null, sealed_answer = null, started_at = excluded.started_at, expires_at = excluded.expires_at
      where k.expires_at <= excluded.started_at
        or (k.state = 'running' and k.body_hash = excluded.body_hash
          and k.started_at <= excluded.started_at - interval '60 seconds')
      returning 1`
    return rows.length === 1
  },

  async find(sql: Queryable, { scope, key }: KeyUse): Promise<KeyRecord | undefined> {
    const rows = await sql<KeyRow[]>`
      select body_hash, state, status, sealed_answer, started_at <= app_now() - interval '60 seconds' as is_left
      from idempotency_keys where scope = ${scope} and key = ${key}`
    const row = rows[0]
    if (row === undefined) return undefined
    const { body_hash: bodyHash, state, status, sealed_answer: sealedAnswer, is_left: isLeft } = row
    return { bodyHash, state, status, sealedAnswer, isLeft }
  },

  /**
   * Takes a key whose request has committed something and lost its answer, for an attempt that continues it. Exactly one of those who ask
   * at once gets `true`.
   */
  async resume(
    sql: Queryable,
    { scope, key }: KeyUse,
    bodyHash: Uint8Array,
    { attemptId, processId }: { attemptId: string; processId: string },
  ): Promise<boolean> {
    const result = await sql`
      update idempotency_keys set state = 'committed', attempt_id = ${attemptId}, process_id = ${processId}, started_at = app_now()
      where scope = ${scope} and key = ${key} and body_hash = ${bodyHash} and status is null
        and (state = 'spent' or state in ('touched', 'committed') and started_at <= app_now() - interval '60 seconds')`
    return result.count === 1
  },

  /** Keeps the answer of an attempt that still owns its key; without `sealedAnswer` the key is spent. */
  async answer(
    sql: Queryable,
    { scope, key }: KeyUse,
    attemptId: string,
    { status, sealedAnswer }: { status: number; sealedAnswer: Uint8Array | null },
  ): Promise<void> {
    await sql`
      update idempotency_keys
      set state = ${sealedAnswer === null ? 'spent' : 'answered'}, status = ${status}, sealed_answer = ${sealedAnswer}
      where scope = ${scope} and key = ${key} and attempt_id = ${attemptId} and state in ('running', 'touched', 'committed')`
  },

  /** Frees the key of an attempt that failed. Where a success of it was recorded all the same, the key is spent: its answer is lost. */
  async release(sql: Queryable, { scope, key }: KeyUse, attemptId: string): Promise<void> {
    await sql`
      with spent as (
        update idempotency_keys set state = 'spent'
        where scope = ${scope} and key = ${key} and attempt_id = ${attemptId} and state = 'committed')
      delete from idempotency_keys
      where scope = ${scope} and key = ${key} and attempt_id = ${attemptId} and state in ('running', 'touched')`
  },
}
