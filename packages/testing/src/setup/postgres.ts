import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '@symbolon/dev/testing/postgres'
import { openPool } from '@symbolon/server/pool'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `POST <url>` copies the template and answers the address of the copy, for a superuser; `DELETE <url>/<name>` drops it. */
    databasesUrl: string
    /** A folder that is removed when the run ends. */
    runFolder: string
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
  const databases = await serveDatabases(server.url)
  project.provide('databasesUrl', databases.url)
  project.provide('runFolder', folder)
  return async () => {
    await databases.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    if (!server.data.startsWith(folder)) rmSync(path.dirname(server.data), { recursive: true, force: true })
  }
}

/**
 * Makes and drops databases for every process of the run, over connections that stay: to open one takes the server longer than to copy
 * the template.
 */
async function serveDatabases(serverUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const admin = openPool(serverUrl, { connectionsMax: 2, isPatient: true })
  const server = createServer(async (request, response) => {
    try {
      response.end(await obey(request.method, String(request.url).slice(1)))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await admin.end()
    },
  }

  async function obey(method: string | undefined, named: string): Promise<string> {
    if (method === 'DELETE') {
      if (!/^test_[0-9a-f]+$/.test(named)) throw new Error(`No test has a database ${named}.`)
      await admin.unsafe(`drop database if exists ${named} with (force)`)
      return ''
    }
    const name = `test_${randomBytes(8).toString('hex')}`
    await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
    return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
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
