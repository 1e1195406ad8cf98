import type { Queryable } from '../../db/pool.ts'
import { onlyValue } from '../../db/sure-rows.ts'

/** The tables of the processes that an emailed code opens. */
const places = {
  recovery: { table: 'recovery_processes', state: 'recovery_state', codeEndsAt: 'code_expires_at' },
  transfer: { table: 'key_transfers', state: 'key_transfer_state', codeEndsAt: 'expires_at' },
} as const

/** A table of processes. */
export type CodePlace = keyof typeof places

/** The processes that a cap counts: those of a place that satisfy a condition (a fragment of SQL). */
export type CodeSubject = { place: CodePlace; where: (sql: Queryable) => ReturnType<Queryable> }

/** The statements shared by all processes with an emailed code. All times are the database's. */
export const mailedCodesStore = {
  /** Seconds until one more may start, at most five in 15 min and ten in a day. 0 when one may start now. */
  async secondsUntilNext(sql: Queryable, { place, where }: CodeSubject): Promise<number> {
    const table = sql.identifier(places[place].table)
    const rows = await sql<{ seconds: number | null }[]>`
      select extract(epoch from greatest(
        (select created_at from ${table} where ${where(sql)} order by created_at desc offset 4 limit 1)
          + interval '15 minutes',
        (select created_at from ${table} where ${where(sql)} order by created_at desc offset 9 limit 1)
          + interval '1 day') - app_now())::double precision as seconds`
    return Math.max(0, Math.ceil(onlyValue(rows, 'seconds') ?? 0))
  },

  /** The codes left of the five in 15 min. */
  async startsLeft(sql: Queryable, { place, where }: CodeSubject): Promise<number> {
    const rows = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql.identifier(places[place].table)}
      where ${where(sql)} and created_at > app_now() - interval '15 minutes'`
    return Math.max(0, 5 - onlyValue(rows, 'count'))
  },

  /** Spends one of the five guesses before anything is compared; undefined when the process takes no more. */
  async spendGuess(
    sql: Queryable,
    place: CodePlace,
    id: string,
  ): Promise<{ salt: Uint8Array; codeHash: Uint8Array; isCodeAlive: boolean } | undefined> {
    const { table, state, codeEndsAt } = places[place]
    const rows = await sql<{ salt: Uint8Array; codeHash: Uint8Array; isCodeAlive: boolean }[]>`
      update ${sql.identifier(table)} p set attempts = attempts + 1
      where id = ${id} and ${sql.unsafe(state)}(p) in ('open', 'delayed')
      returning salt, code_hash as "codeHash", ${sql.identifier(codeEndsAt)} > app_now() as "isCodeAlive"`
    return rows[0]
  },

  /** Locks the process whose fifth guess was wrong too. */
  async lockIfSpent(sql: Queryable, place: CodePlace, id: string): Promise<void> {
    await sql`
      with locked as (
        update ${sql.identifier(places[place].table)} set state = 'locked'
        where id = ${id} and state in ('open', 'delayed') and attempts >= 5
        returning ready_mail_id)
      delete from outbox o using locked where o.id = locked.ready_mail_id`
  },

  /** Gives back the guess of a right code whose result could not be answered. */
  async giveGuessBack(sql: Queryable, place: CodePlace, id: string): Promise<void> {
    await sql`
      update ${sql.identifier(places[place].table)} set attempts = attempts - 1
      where id = ${id} and state in ('open', 'delayed') and attempts > 0`
  },
}
