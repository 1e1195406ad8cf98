import type { Queryable } from './pool.ts'
import type { Migration } from './read-migrations.ts'
import { SchemaError } from './schema-error.ts'

/** Where the database stands: version 0 before the first migration. Builds below `oldestBuild` do not work on it. */
export type SchemaState = { version: number; oldestBuild: number; applied: AppliedMigration[] }
type AppliedMigration = { version: number; name: string; checksum: string }

/** Creates the tables that say where the database stands, unless they exist. */
export async function prepareState(tx: Queryable): Promise<void> {
  await tx.unsafe(`
    create table if not exists symbolon_schema (version integer not null, oldest_build integer not null);
    create unique index if not exists symbolon_schema_one_row on symbolon_schema ((true));
    insert into symbolon_schema (version, oldest_build) values (0, 0) on conflict do nothing;
    create table if not exists symbolon_migrations (
      version integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default clock_timestamp());
    create table if not exists symbolon_functions (
      name text primary key, declaration text not null, checksum text not null,
      applied_at timestamptz not null default clock_timestamp())`)
}

/** Reads where the database stands, without changing it. Throws a `SchemaError` where it has the tables of no release. */
export async function readState(sql: Queryable): Promise<SchemaState> {
  const [tables] = await sql<{ has_state: boolean; is_old: boolean }[]>`
    select to_regclass('symbolon_schema') is not null as has_state, to_regclass('schema_migrations') is not null as is_old`
  if (tables?.has_state !== true) {
    if (tables?.is_old === true)
      throw new SchemaError('unreleased', 'The database has the tables of an unreleased version of Symbolon.')
    return { version: 0, oldestBuild: 0, applied: [] }
  }
  const [row] = await sql<
    { version: number; oldest_build: number }[]
  >`select version, oldest_build from symbolon_schema`
  const applied = await sql<AppliedMigration[]>`
    select version, name, checksum from symbolon_migrations order by version`
  return { version: row?.version ?? 0, oldestBuild: row?.oldest_build ?? 0, applied: [...applied] }
}

/**
 * The migrations of this build that the database lacks. A database ahead of this build lacks none while `oldestBuild` admits it.
 * Throws a `SchemaError` where it does not, and where an applied migration differs from this build's.
 */
export function missingMigrations(state: SchemaState, migrations: readonly Migration[]): Migration[] {
  if (state.oldestBuild > migrations.length)
    throw new SchemaError(
      'newer',
      `The database is at schema ${state.version}, which needs a build of at least ${state.oldestBuild}; this is build ${migrations.length}.`,
    )
  for (const { version, name, checksum } of state.applied) {
    const own = migrations[version - 1]
    if (own !== undefined && (own.name !== name || own.checksum !== checksum))
      throw new SchemaError(
        'unreleased',
        `Migration ${version} (${name}) is not the one that the database has: it was changed after it was applied.`,
      )
  }
  return migrations.slice(state.version)
}

/** Notes a migration as applied. */
export async function recordMigration(tx: Queryable, migration: Migration): Promise<void> {
  const { version, name, checksum, oldestBuild } = migration
  await tx`insert into symbolon_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
  await tx`update symbolon_schema set version = ${version}, oldest_build = greatest(oldest_build, ${oldestBuild ?? 1}::integer)`
}
