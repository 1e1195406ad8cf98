import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Sql } from './pool.ts'

// Any constant that no other user of the database takes: the first bytes of SHA-256("symbolon migrations").
const lockKey = 5_147_202_611

const folder = new URL('./migrations/', import.meta.url)

type Migration = { name: string; text: string; checksum: string }

/** The migrations of this build in order: `NNNN_title.sql`. */
export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    })
}

/**
 * Brings the database to this build's schema: forward only, each file once, under an advisory lock, in one transaction.
 * Throws when an applied file differs from this build's, or when the database is ahead of this build.
 */
export async function migrate(sql: Sql, migrations = readMigrations()): Promise<{ applied: string[] }> {
  const known = await sql`select to_regclass('schema_migrations') is not null as there`
  if (known[0]?.['there'] === true) {
    const done = await sql<
      { name: string; checksum: string }[]
    >`select name, checksum from schema_migrations order by name`
    if (check(done, migrations).length === 0) return { applied: [] }
  }
  return sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local lock_timeout = 0`
    await tx`select pg_advisory_xact_lock(${lockKey})`
    await tx`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default clock_timestamp())`
    const done = await tx<
      { name: string; checksum: string }[]
    >`select name, checksum from schema_migrations order by name`
    const missing = check(done, migrations)
    for (const { name, text, checksum } of missing) {
      await tx.unsafe(text)
      await tx`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
    }
    return { applied: missing.map(({ name }) => name) }
  })
}

function check(done: { name: string; checksum: string }[], migrations: Migration[]): Migration[] {
  for (const [i, { name, checksum }] of done.entries()) {
    const own = migrations[i]
    if (own === undefined || own.name !== name)
      throw new Error(`The database has migration ${name}, this build has not.`)
    if (own.checksum !== checksum) throw new Error(`Migration ${name} was changed after it was applied.`)
  }
  return migrations.slice(done.length)
}
