import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { lateDatabase, lateDatabaseFile, withDatabase } from './late-database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-late-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the address of the database is waited for, and none of a former start is taken', async () => {
  const file = path.join(folder, 'database.url')
  writeFileSync(file, 'postgres://former')
  const late = lateDatabaseFile(file)
  let received: NodeJS.ProcessEnv | undefined
  const waiting = withDatabase({ [lateDatabase]: file, PORT: '1' }).then((environment) => {
    received = environment
  })
  // Several of its looks, which must find nothing.
  await sleep(50)
  expect(received).toBeUndefined()
  late.provide('postgres://now')
  await waiting
  expect(received).toMatchObject({ DATABASE_URL: 'postgres://now', PORT: '1' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('the environment stays as it was when nothing comes late', async () => {
  const environment = { DATABASE_URL: 'postgres://own' }
  expect(await withDatabase(environment)).toBe(environment)
})
