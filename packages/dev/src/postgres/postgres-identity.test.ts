import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPool } from '@symbolon/server/pool'
import { afterAll, expect, test } from 'vitest'
import { postgresBinaries } from './postgres-binaries.ts'
import { canReach, postgresIdentity } from './postgres-identity.ts'
import { startPostgres } from './start-postgres.ts'

const home = mkdtempSync(path.join(tmpdir(), 'symbolon-identity-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const isRoot = process.getuid?.() === 0
const stranger = { uid: (process.getuid?.() ?? 0) + 1, gid: (process.getgid?.() ?? 0) + 1 }

test('a directory closed to others stops a lesser user, at any depth', () => {
  const deep = path.join(home, 'a', 'b', 'c')
  mkdirSync(deep, { recursive: true })
  chmodSync(home, 0o755)
  expect(canReach(deep, stranger)).toBe(true)
  expect(canReach(path.join(deep, 'not', 'yet', 'there'), stranger)).toBe(true)
  chmodSync(path.join(home, 'a'), 0o700)
  expect(canReach(deep, stranger)).toBe(false)
  expect(canReach(deep, { uid: statSync(home).uid, gid: 1 })).toBe(true)
})

test('an ordinary user stays who he is, root never stays root', () => {
  const identity = postgresIdentity(postgresBinaries(), path.join(home, 'who'))
  if (isRoot) expect(identity.mode).not.toBe('self')
  else expect(identity).toMatchObject({ mode: 'self', prefix: [] })
})

test('root without user namespaces runs a lesser user outside of the closed directory, and finds its data again', async () => {
  const outside = path.join(home, 'outside')
  mkdirSync(outside)
  chmodSync(home, 0o755)
  const closed = path.join(home, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const options = {
    folder: path.join(closed, 'postgres'),
    isDurable: false,
    identity: (...[binaries, folder]: Parameters<typeof postgresIdentity>) =>
      postgresIdentity(binaries, folder, { mayUseNamespace: () => false, outside }),
  }
  for (const statement of ['create table kept as select 42 as n', 'select n from kept']) {
    const server = await startPostgres(options)
    expect(server.mode).toBe(isRoot ? 'user' : 'self')
    expect(server.data.startsWith(isRoot ? outside : closed)).toBe(true)
    expect(statSync(server.data).mode & 0o077).toBe(0)
    const sql = openPool(server.url, { connectionsMax: 1, isPatient: true })
    await sql.unsafe(statement)
    await sql.end()
    await server.stop()
  }
})
