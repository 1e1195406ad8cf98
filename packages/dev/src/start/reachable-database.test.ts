import { createServer } from 'node:net'
import { testDatabase } from '@symbolon/testing/database'
import { expect, test } from 'vitest'
import { freePort } from '../postgres/free-port.ts'
import { reachableDatabase } from './reachable-database.ts'

const refusalOf = (url: string) =>
  reachableDatabase(url).then(
    () => 'reached',
    (error: Error) => error.message,
  )

test('a database that answers is taken, one that says no is refused at once', async () => {
  const database = await testDatabase()
  expect(await reachableDatabase(database.url)).toBe(database.url)
  const absent = new URL(database.url)
  absent.pathname = '/no_such_database'
  const from = performance.now()
  expect(await refusalOf(absent.href)).toMatch(/^DATABASE_URL: .*no_such_database.* does not exist\)$/)
  expect(performance.now() - from).toBeLessThan(4_000)
  await database.drop()
})

test('one whose password is not percent-encoded is refused by what it wants', async () => {
  for (const url of ['postgres://app:50%@127.0.0.1/x', 'postgres://u%zz:hidden-word@127.0.0.1/x'])
    expect(await refusalOf(url)).toBe(
      'DATABASE_URL: user and password must be percent-encoded (% is written %25)',
    )
})

test('one that nobody answers for is refused within seconds, by the name of its variable and without its password', async () => {
  // It takes connections and never says a word.
  const silent = createServer()
  const [closedPort, silentPort] = [await freePort(), await freePort()]
  await new Promise<void>((resolve) => silent.listen(silentPort, '127.0.0.1', resolve))
  const from = performance.now()
  const refusals = await Promise.all(
    [closedPort, silentPort].map((port) => refusalOf(`postgres://app:hidden-word@127.0.0.1:${port}/x`)),
  )
  expect(performance.now() - from).toBeLessThan(12_000)
  expect(refusals[0]).toContain(`DATABASE_URL: postgres://app:***@127.0.0.1:${closedPort}/x`)
  expect(refusals[0]).toContain('ECONNREFUSED')
  expect(refusals[1]).toContain(`DATABASE_URL: postgres://app:***@127.0.0.1:${silentPort}/x`)
  expect(refusals.join()).not.toContain('hidden-word')
  silent.close()
})

test('a URL that is not of PostgreSQL is refused', async () => {
  for (const wrong of ['nonsense', 'mysql://127.0.0.1/x', 'postgres'])
    expect(await refusalOf(wrong)).toBe('DATABASE_URL: it must be a postgres:// URL')
})
