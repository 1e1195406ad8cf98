import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '@symbolon/dev/testing/postgres'
import { openPool } from '@symbolon/server/pool'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser address of the run's database server. */
    databaseUrl: string
  }
}

/** A database with every migration applied; `testDatabase()` copies it. */
const template = 'symbolon_template'

/** Starts the one real PostgreSQL of a test run in a temporary folder and stops it at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-test-'))
  const server = await startPostgres({
    folder: path.join(folder, 'postgres'),
    isDurable: false,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  await migrateTemplate(server.url)
  project.provide('databaseUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    if (!server.data.startsWith(folder)) rmSync(path.dirname(server.data), { recursive: true, force: true })
  }
}

async function migrateTemplate(serverUrl: string): Promise<void> {
  const admin = openPool(serverUrl, { connectionsMax: 1, isPatient: true })
  await admin.unsafe(`create database ${template}`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  const { migrate } = await import('@symbolon/server/testing/db')
  const sql = openPool(url.href, { connectionsMax: 1, isPatient: true })
  await migrate(sql)
  await sql.end()
}
