import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import '../setup/postgres.ts'

/** A database of a test's own: fully migrated, empty, gone after `drop()`. `sql` has at most four connections. */
export type TestDatabase = { url: string; sql: postgres.Sql; drop(): Promise<void> }

/** Creates a fresh, migrated database on the run's server. Call `drop()` when done; it ends `sql` and all connections. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('databaseUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(serverUrl, `create database ${name} template symbolon_template strategy file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const sql = postgres(url.href, { max: 4, onnotice: () => {} })
  return {
    url: url.href,
    sql,
    async drop() {
      await sql.end({ timeout: 5 })
      await asAdmin(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    await admin.unsafe(statement)
  } finally {
    await admin.end()
  }
}
