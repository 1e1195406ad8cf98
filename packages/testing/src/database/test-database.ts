import { randomBytes } from 'node:crypto'
import { openPool, type Sql } from '@symbolon/server/pool'
import { inject } from 'vitest'
import type {} from '../setup/postgres.ts'

/** A database of a test's own: fully migrated, empty, gone after `drop()`. `sql` has at most four connections. */
export type TestDatabase = { url: string; sql: Sql; drop(): Promise<void> }

/** Creates a fresh, migrated database on the run's server. Call `drop()` when done; it ends `sql` and all connections. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('databaseUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(serverUrl, `create database ${name} template symbolon_template strategy file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const sql = testPool(url.href)
  return {
    url: url.href,
    sql,
    async drop() {
      await sql.end({ timeout: 5 })
      await asAdmin(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

/** Connections of the test itself; those of the service are listed under another name. */
export function testPool(databaseUrl: string): Sql {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'test')
  return openPool(url.href, { connectionsMax: 4, isPatient: true })
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const admin = openPool(serverUrl, { connectionsMax: 1, isPatient: true })
  try {
    await admin.unsafe(statement)
  } finally {
    await admin.end()
  }
}
