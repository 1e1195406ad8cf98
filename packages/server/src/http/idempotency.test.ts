import { createSecretKey, randomBytes } from 'node:crypto'
import { advanceClock, testIds as ids, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempts, journaled } from '../db/attempts.ts'
import { openPool, type Sql } from '../db/pool.ts'
import { processesStore } from '../features/processes/processes.store.ts'
import {
  type Begun,
  type Idempotency,
  idempotency,
  idempotencyScope,
  isIdempotencyKey,
} from './idempotency.ts'

const master = createSecretKey(randomBytes(32))
const scope = idempotencyScope('key-id', 'POST', '/v1/wallets')
const bodyHash = new Uint8Array(32).fill(1)
let database: TestDatabase
let pools: Sql[]
const running = attempts()
const processIds = [ids.next(), ids.next()] as const
let both: [Idempotency, Idempotency]

beforeAll(async () => {
  database = await testDatabase()
  pools = [openPool(database.url, { connectionsMax: 16 }), openPool(database.url, { connectionsMax: 16 })]
  const make = (sql: Sql, processId: string) =>
    idempotency({ sql, master, ids, processId, attempts: running })
  both = [make(pools[0] as Sql, processIds[0]), make(pools[1] as Sql, processIds[1])]
})

afterAll(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  await database.drop()
})

const begin = (
  key: string,
  change: { scope?: Uint8Array; bodyHash?: Uint8Array } = {},
  i = 0,
): Promise<Begun> => (both[i % 2] as Idempotency).begin({ scope, key, bodyHash, ...change })
async function run(key: string): Promise<{ scope: Uint8Array; key: string; attemptId: string }> {
  const begun = await begin(key)
  if (begun.kind !== 'run') throw new Error(`not run but ${begun.kind}`)
  return { scope, key, attemptId: begun.attemptId }
}
const answered = {
  status: 201,
  answer: '{"data":{"email":"secret@example.test"},"error":null}',
  bearsCredential: false,
}

test('of 64 parallel requests over two processes exactly one runs, and all later ones get its answer', async () => {
  const kinds = await Promise.all(Array.from({ length: 64 }, (_, i) => begin('race', {}, i)))
  const winner = kinds.find(({ kind }) => kind === 'run')
  expect(kinds.filter(({ kind }) => kind === 'run')).toHaveLength(1)
  expect(kinds.filter(({ kind }) => kind === 'in_flight')).toHaveLength(63)
  if (winner?.kind !== 'run') throw new Error('nobody runs')
  await both[1].finish({ scope, key: 'race', attemptId: winner.attemptId, ...answered })
  const replays = await Promise.all(Array.from({ length: 64 }, (_, i) => begin('race', {}, i)))
  for (const replay of replays)
    expect(replay).toEqual({ kind: 'replay', status: 201, answer: answered.answer })
})

test('the same key with another body is refused, running or answered', async () => {
  const use = await run('body')
  const other = { bodyHash: new Uint8Array(32).fill(2) }
  expect(await begin('body', other)).toEqual({ kind: 'reused' })
  await both[0].finish({ ...use, ...answered })
  expect(await begin('body', other)).toEqual({ kind: 'reused' })
  expect((await begin('body')).kind).toBe('replay')
})

test('a key counts for one credential, method and path', async () => {
  await run('scoped')
  for (const other of [
    idempotencyScope('other-key', 'POST', '/v1/wallets'),
    idempotencyScope('key-id', 'PUT', '/v1/wallets'),
    idempotencyScope('key-id', 'POST', '/v1/s2s/sign'),
  ]) {
    expect((await begin('scoped', { scope: other })).kind).toBe('run')
  }
})

test('refusals are kept, failures and rate limits are not, and an abandoned key is free', async () => {
  await both[0].finish({ ...(await run('400')), status: 400, answer: '{}', bearsCredential: false })
  expect(await begin('400')).toEqual({ kind: 'replay', status: 400, answer: '{}' })
  await both[0].finish({ ...(await run('204')), status: 204, answer: '', bearsCredential: false })
  expect(await begin('204')).toEqual({ kind: 'replay', status: 204, answer: '' })
  for (const status of [429, 500, 502, 503]) {
    await both[0].finish({ ...(await run(`${status}`)), status, answer: '{}', bearsCredential: false })
    expect((await begin(`${status}`)).kind).toBe('run')
  }
  await both[0].abandon(await run('abandoned'))
  expect((await begin('abandoned')).kind).toBe('run')
})

test('an answer that the database could not take is written once it can, so no key stays taken', async () => {
  const [kept, freed, abandoned] = [
    await run('late answer'),
    await run('late failure'),
    await run('late end'),
  ]
  await database.sql`alter table idempotency_keys rename to away`
  await expect(both[0].finish({ ...kept, ...answered })).rejects.toThrow()
  await expect(both[0].finish({ ...freed, ...answered, status: 503 })).rejects.toThrow()
  await expect(both[0].abandon(abandoned)).rejects.toThrow()
  await database.sql`alter table away rename to idempotency_keys`
  const { status, answer } = answered
  await expect.poll(() => begin('late answer')).toEqual({ kind: 'replay', status, answer })
  await expect.poll(async () => (await begin('late failure')).kind).toBe('run')
  await expect.poll(async () => (await begin('late end')).kind).toBe('run')
})

test('an answer that bears a credential leaves nothing but the fact', async () => {
  await both[0].finish({
    ...(await run('spent')),
    status: 200,
    answer: '{"token":"secret"}',
    bearsCredential: true,
  })
  expect(await begin('spent')).toEqual({ kind: 'spent' })
  expect(await database.sql`select sealed_answer from idempotency_keys where key = 'spent'`).toEqual([
    { sealed_answer: null },
  ])
  await both[0].finish({ ...(await run('wrong code')), status: 401, answer: '{}', bearsCredential: true })
  expect((await begin('wrong code')).kind).toBe('replay')
})

test('answers are sealed to their key', async () => {
  await both[0].finish({ ...(await run('sealed')), ...answered })
  await both[0].finish({ ...(await run('swapped')), ...answered })
  const rows = await database.sql<
    { text: string }[]
  >`select encode(sealed_answer, 'escape') as text from idempotency_keys where key = 'sealed'`
  expect(rows[0]?.text).not.toContain('secret@')
  await database.sql`update idempotency_keys a set sealed_answer = b.sealed_answer from idempotency_keys b
    where a.key = 'swapped' and b.key = 'sealed'`
  await expect(begin('swapped')).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('keys are 1 to 255 visible characters', () => {
  for (const key of ['a', '~!', 'x'.repeat(255)]) expect(isIdempotencyKey(key)).toBe(true)
  for (const key of ['', 'x'.repeat(256), 'a b', 'a\n', 'ä', '\0', 'a\x7f'])
    expect(isIdempotencyKey(key)).toBe(false)
})

test('a dead process frees its running keys at once: not its answered ones, nor those of a living process', async () => {
  const lost = await run('lost')
  await both[0].finish({ ...(await run('kept')), ...answered })
  expect((await begin('alive', {}, 1)).kind).toBe('run')
  await processesStore.release(database.sql, processIds[0])
  expect((await begin('lost', {}, 1)).kind).toBe('run')
  await both[0].finish({ ...lost, ...answered })
  expect((await begin('lost')).kind).toBe('in_flight')
  expect((await begin('kept')).kind).toBe('replay')
  expect((await begin('alive')).kind).toBe('in_flight')
})

/** Runs an attempt whose transaction leaves `rows` behind, and dies before it answers. */
async function dyingIn(key: string, text: string): Promise<void> {
  const use = await run(key)
  await both[0].run(use, () =>
    journaled(pools[0] as Sql, running).begin(async (tx) => {
      await tx.unsafe(text)
    }),
  )
}

test('of a dead process, a key runs again where nothing was committed, and is spent where the answer was lost', async () => {
  await database.sql`create table effects (n integer)`
  await dyingIn('read only', 'select 1')
  await dyingIn('wrote', 'insert into effects values (1)')
  await dyingIn('rolled back', 'insert into effects values (2); select 1 / 0').catch(() => {})
  for (const key of ['read only', 'wrote', 'rolled back'])
    expect((await begin(key, {}, 1)).kind).toBe('in_flight')
  await processesStore.release(database.sql, processIds[0])
  expect((await begin('read only', {}, 1)).kind).toBe('run')
  expect((await begin('rolled back', {}, 1)).kind).toBe('run')
  expect((await begin('wrote', {}, 1)).kind).toBe('spent')
  expect(await database.sql`select n from effects`).toEqual([{ n: 1 }])
})

test('an attempt that was taken over commits nothing more', async () => {
  const late = await run('taken over')
  await processesStore.release(database.sql, processIds[0])
  expect((await begin('taken over', {}, 1)).kind).toBe('run')
  const written = both[0].run(late, () =>
    journaled(pools[0] as Sql, running).begin(async (tx) => {
      await tx.unsafe('insert into effects values (3)')
    }),
  )
  await expect(written).rejects.toMatchObject({ code: 'unavailable' })
  expect(await database.sql`select n from effects where n = 3`).toEqual([])
})

test('a failure after a part was committed frees the key, after a recorded success it is spent', async () => {
  for (const [key, hasSucceeded, then] of [
    ['part', false, 'run'],
    ['success', true, 'spent'],
  ] as const) {
    const use = await run(key)
    await both[0].run(use, () =>
      journaled(pools[0] as Sql, running).begin(async (tx) => {
        await tx.unsafe('insert into effects values (4)')
        const attempt = running.current()
        if (attempt !== undefined) attempt.hasSucceeded = hasSucceeded
      }),
    )
    await both[0].finish({ ...use, status: 503, answer: '', bearsCredential: false })
    expect((await begin(key)).kind).toBe(then)
  }
})

// Last, because it moves this database's clock.
test('a key that runs for a minute is taken over once, and its late predecessor stores nothing; every key ends after 24 h', async () => {
  const late = await run('dead')
  await both[0].finish({ ...(await run('old')), ...answered })
  await advanceClock(database.sql, 59_000)
  expect((await begin('dead')).kind).toBe('in_flight')
  await advanceClock(database.sql, 2_000)
  expect((await begin('dead', { bodyHash: new Uint8Array(32) })).kind).toBe('reused')
  const kinds = await Promise.all(Array.from({ length: 64 }, (_, i) => begin('dead', {}, i)))
  const heirs = kinds.filter(({ kind }) => kind === 'run')
  expect(heirs).toHaveLength(1)
  await both[0].finish({ ...late, status: 200, answer: 'late', bearsCredential: false })
  await both[0].abandon(late)
  expect((await begin('dead')).kind).toBe('in_flight')
  await advanceClock(database.sql, 24 * 3_600_000 - 120_000)
  expect((await begin('old')).kind).toBe('replay')
  await advanceClock(database.sql, 120_000)
  expect((await begin('old', { bodyHash: new Uint8Array(32) })).kind).toBe('run')
})
