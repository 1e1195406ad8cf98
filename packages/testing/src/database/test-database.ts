import { openPool, type Sql } from '@symbolon/server/pool'
import { inject } from 'vitest'
import type {} from '../setup/postgres.ts'

/** A database of a test's own: fully migrated, empty, gone after `drop()`. `sql` has at most four connections. */
export type TestDatabase = { url: string; sql: Sql; drop(): Promise<void> }

/** Creates a fresh, migrated database on the run's server. Call `drop()` when done; it ends `sql` and all connections. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = await ask('POST')
  const sql = testPool(url)
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 5 })
      await ask('DELETE', new URL(url).pathname)
    },
  }
}

/** Asks whoever started the run's server: it alone holds connections for such work. */
async function ask(method: 'POST' | 'DELETE', at = ''): Promise<string> {
  const answer = await fetch(`${inject('databasesUrl')}${at}`, { method })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The run's database server: ${text}`)
  return text
}

/** Connections of the test itself; those of the service are listed under another name. */
export function testPool(databaseUrl: string): Sql {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'test')
  return openPool(url.href, { connectionsMax: 4, isPatient: true })
}
