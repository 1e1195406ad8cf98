import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable, Sql } from './pool.ts'
import { type Migration, type Phase, readMigrations } from './read-migrations.ts'
import { missingMigrations, prepareState, readState, recordMigration } from './schema-state.ts'
import {
  applyFunctions,
  byTables,
  changedFunctions,
  readFunctions,
  type SqlFunction,
} from './sql-functions.ts'

// Any constant that no other user of the database takes: the first bytes of SHA-256("symbolon migrations").
const lockKey = 5_147_202_611
const pollMs = 50

/** What a build brings. */
export type Build = { migrations: readonly Migration[]; functions: readonly SqlFunction[] }

/** What a database lacks. `functions` are those whose text differs. */
export type MigrationPlan = {
  from: number
  to: number
  pending: { version: number; name: string; phase: Phase; transactional: boolean }[]
  functions: string[]
}

/** The plan, and whether this call applied any of it. */
export type MigrationReport = MigrationPlan & { applied: boolean }

/** The migrations and functions in this build's folders. */
export const ownBuild = (): Build => ({ migrations: readMigrations(), functions: readFunctions() })

/** Says what `migrate` would do, and changes nothing. Throws a `SchemaError` where it would. */
export async function planMigration(sql: Queryable, build = ownBuild()): Promise<MigrationPlan> {
  const state = await readState(sql)
  const missing = missingMigrations(state, build.migrations)
  return {
    from: state.version,
    to: Math.max(state.version, build.migrations.length),
    pending: missing.map(({ version, name, phase, transactional }) => ({
      version,
      name,
      phase,
      transactional,
    })),
    functions: (await outdatedFunctions(sql, build, state.version)).map(({ name }) => name),
  }
}

/**
 * Brings the database to this build's schema: forward only, each migration once, then the functions whose text changed. One
 * process at a time does it. What is transactional up to the next migration that is not is applied in one transaction, functions
 * included: all of it or nothing. A database that is ahead of this build is left as it is.
 * Throws a `SchemaError` where the two do not fit.
 */
export async function migrate(sql: Sql, build = ownBuild()): Promise<MigrationReport> {
  const plan = await planMigration(sql, build)
  if (plan.pending.length === 0 && plan.functions.length === 0) return { ...plan, applied: false }
  let applied = false
  for (let isDone = false; !isDone; ) {
    const step = await sql.begin((tx) => nextStep(sql, tx, build))
    // Another process migrates. Asking again in the same transaction would stop its `create index concurrently` for ever: that
    // waits for the end of every transaction that it saw with a snapshot, and this one would wait for the lock.
    if (step === 'locked') await sleep(pollMs)
    else {
      applied ||= step.applied
      isDone = step.isDone
    }
  }
  return { ...plan, applied }
}

/** What a step did; `locked`: nothing, since another process is at it. */
type Step = 'locked' | { applied: boolean; isDone: boolean }

async function nextStep(sql: Sql, tx: Queryable, build: Build): Promise<Step> {
  await tx`set local statement_timeout = 0`
  await tx`set local lock_timeout = 0`
  await tx`set local idle_in_transaction_session_timeout = 0`
  const [lock] = await tx`select pg_try_advisory_xact_lock(${lockKey}) as is_taken`
  if (lock?.['is_taken'] !== true) return 'locked'
  await prepareState(tx)
  const state = await readState(tx)
  const missing = missingMigrations(state, build.migrations)
  const [first] = missing
  if (first?.transactional === false) {
    await dropSnapshot(tx)
    await runOutside(sql, first)
    await recordMigration(tx, first)
    return { applied: true, isDone: false }
  }
  const stop = missing.findIndex(({ transactional }) => !transactional)
  const batch = stop === -1 ? missing : missing.slice(0, stop)
  if (first?.version === 1) await applyFunctions(tx, byTables(build.functions).before)
  for (const migration of batch) {
    await tx.unsafe(migration.text)
    await recordMigration(tx, migration)
  }
  if (stop !== -1) return { applied: true, isDone: false }
  const outdated = await outdatedFunctions(tx, build, Math.max(state.version, build.migrations.length))
  await applyFunctions(tx, outdated)
  return { applied: batch.length > 0 || outdated.length > 0, isDone: true }
}

/** A statement of the extended protocol keeps its snapshot until the next one; one of the simple protocol keeps none. */
async function dropSnapshot(tx: Queryable): Promise<void> {
  await tx.unsafe('set local lock_timeout = 0')
}

/** A build behind the database's schema leaves the functions to the newer one. */
async function outdatedFunctions(sql: Queryable, build: Build, version: number): Promise<SqlFunction[]> {
  if (version > build.migrations.length) return []
  return version === 0 ? [...build.functions] : changedFunctions(sql, build.functions)
}

/** Statement by statement: several in one message would be one transaction. */
async function runOutside(sql: Sql, { text }: Migration): Promise<void> {
  const connection = await sql.reserve()
  try {
    await connection`set statement_timeout = 0`
    await connection`set lock_timeout = 0`
    for (const statement of text.split(/;[^\S\n]*(?:\n|$)/)) {
      if (/^(?!\s*--)\s*\S/m.test(statement)) await connection.unsafe(statement)
    }
  } finally {
    connection.release()
  }
}
