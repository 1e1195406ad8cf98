import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { type FaultyWire, faultyWire } from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientGroup } from '../runtime/client-block.ts'
import { coalesce } from './coalesce.ts'
import { isDatabaseUnavailable, openPool, type Sql } from './pool.ts'

const hangsAfterMs = 4_000
let database: TestDatabase
let wire: FaultyWire
let sql: Sql

beforeAll(async () => {
  database = await testDatabase()
  wire = await faultyWire(Number(new URL(database.url).port))
  const url = new URL(database.url)
  url.port = String(wire.port)
  sql = openPool(url.href, { connectionsMax: 6 })
})

afterAll(async () => {
  await sql.end({ timeout: 1 })
  await wire.close()
  await database.drop()
})

type Row = { n: number }
let lastNumber = 0
let losses = 0

/** Asks for a number of its own, in one of the ways that the service does; twice if the first way fails. */
async function ask(way: number, triesLeft = 2): Promise<string> {
  lastNumber += 1
  const n = lastNumber
  const isOwn = (rows: readonly Row[]) => rows.length === 1 && rows[0]?.n === n
  try {
    if (way === 0) return isOwn(await sql<Row[]>`select ${n}::integer as n`) ? 'own rows' : 'rows of another'
    const areOwn = await sql.begin(async (tx) => {
      const first = isOwn(await tx<Row[]>`select ${n}::integer as n`)
      if (way === 1) return first
      return (
        first && (await tx.savepoint(async (inner) => isOwn(await inner<Row[]>`select ${n}::integer as n`)))
      )
    })
    return areOwn ? 'own rows' : 'rows of another'
  } catch (error) {
    if (!isDatabaseUnavailable(error)) return String(error)
    losses += 1
    // At once: the driver has not yet noticed that its connection is closed.
    return triesLeft > 1 ? ask(way, triesLeft - 1) : 'unavailable'
  }
}

test('a lost connection fails what runs on it, and never gives a statement the rows of another or none', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 40; round++) {
    const asked = Array.from({ length: 12 }, (_, i) =>
      Promise.race([ask(i % 3), sleep(hangsAfterMs, 'hangs', { ref: false })]),
    )
    // Cut at any moment of a statement.
    await sleep(Math.random() * 8)
    await wire.cut()
    await wire.mend()
    for (const outcome of await Promise.all(asked)) outcomes.add(outcome)
    expect([...outcomes].filter((outcome) => outcome !== 'own rows' && outcome !== 'unavailable')).toEqual([])
  }
  expect(losses).toBeGreaterThan(20)
  // Several idle connections may still be closing when the last cut is over.
  await expect.poll(() => ask(2)).toBe('own rows')
}, 60_000)

test('arrays arrive as they were sent', async () => {
  const texts = ['a', '', 'with "quotes", commas and \\', '{braces}', 'null', ' spaces ', 'line\nbreak', 'ü€']
  const numbers = [0, -1, 2_147_483_647]
  const ids = ['0195f3a0-0000-7000-8000-000000000001', '0195f3a0-0000-7000-8000-000000000002']
  const [row] =
    await sql`select ${texts}::text[] as texts, ${numbers}::integer[] as numbers, ${ids}::uuid[] as ids,
    ${[0.5, 1e-9]}::double precision[] as fractions, ${[] as string[]}::text[] as nothing, ${['10.0.0.0/8']}::text[]::cidr[] as ranges`
  expect(row).toEqual({ texts, numbers, ids, fractions: [0.5, 1e-9], nothing: [], ranges: ['10.0.0.0/8'] })
})

test.each([
  ['a statement', (pool: Sql) => pool<Row[]>`select 7 as n`],
  ['text as a statement', (pool: Sql) => pool.unsafe<Row[]>('select 7 as n')],
  ['a transaction', (pool: Sql) => pool.begin((tx) => tx<Row[]>`select 7 as n`)],
])('%s behind one that failed after its first rows has its own rows and nothing else', async (_, ask) => {
  const one = openPool(database.url, { connectionsMax: 1 })
  try {
    await expect(one`select 1 / (3 - n) as n from generate_series(1, 5) n`).rejects.toThrow(
      'division by zero',
    )
    const rows = await ask(one)
    expect(rows.length).toBe(1)
    expect(rows[0]?.n).toBe(7)
    expect(rows.count).toBe(1)
  } finally {
    await one.end({ timeout: 1 })
  }
})

test('so has the only statement of a reserved connection', async () => {
  const reserved = await sql.reserve()
  try {
    await expect(reserved`select 1 / (3 - n) as n from generate_series(1, 5) n`).rejects.toThrow(
      'division by zero',
    )
    expect([...(await reserved<Row[]>`select 7 as n`)]).toEqual([{ n: 7 }])
  } finally {
    reserved.release()
  }
})

/** Transactions of groups that last until the test ends them, on a pool of six connections. */
function heldTransactions(pool: Sql) {
  const order: string[] = []
  const ends: (() => void)[] = []
  const done: Promise<unknown>[] = []
  const ask = (group: string, count = 1) => {
    for (let i = 0; i < count; i++) {
      const held = pool.onBehalfOf(group, () =>
        pool.begin(async (tx) => {
          await tx`select 1`
          order.push(group)
          await new Promise<void>((resolve) => ends.push(resolve))
        }),
      )
      done.push(held)
    }
  }
  const endAll = async () => {
    const all = Promise.all(done)
    const timer = setInterval(() => {
      for (const end of ends.splice(0)) end()
    }, 1)
    await all.finally(() => clearInterval(timer))
  }
  return { order, ends, ask, endAll }
}

test('of groups that wait for a connection, each gets the next one in its turn, however many wait before it', async () => {
  const pool = openPool(database.url, { connectionsMax: 6 })
  const { order, ends, ask, endAll } = heldTransactions(pool)
  try {
    ask('flood', 60)
    await expect.poll(() => order.length).toBe(6)
    ask('other', 2)
    const alone = pool`select 1`.then(() => order.push('nobody'))
    // The flood has more than its part from when it was alone: what it gives back goes to those who came since.
    for (const end of ends.splice(0, 3)) end()
    await alone
    await expect.poll(() => order.length).toBe(9)
    expect(order.slice(6).sort()).toEqual(['nobody', 'other', 'other'])
    await endAll()
    expect(order).toHaveLength(63)
  } finally {
    await pool.end({ timeout: 1 })
  }
})

test('beside others a group has a third of the connections at once, and the next one that asks waits for nobody', async () => {
  const pool = openPool(database.url, { connectionsMax: 6 })
  const { order, ask, endAll } = heldTransactions(pool)
  try {
    ask('other')
    await expect.poll(() => order).toEqual(['other'])
    ask('flood', 60)
    await expect.poll(() => order.length).toBe(3)
    ask('third', 2)
    await pool`select 1`
    await expect.poll(() => order.length).toBe(5)
    expect(order.slice(3)).toEqual(['third', 'third'])
    await endAll()
    expect(order).toHaveLength(63)
  } finally {
    await pool.end({ timeout: 1 })
  }
})

test('an organization has all connections beside client addresses, such as that of its own server', async () => {
  const pool = openPool(database.url, { connectionsMax: 6 })
  const { order, ask, endAll } = heldTransactions(pool)
  try {
    ask(clientGroup('192.0.2.7'))
    await expect.poll(() => order.length).toBe(1)
    ask('organization', 60)
    await expect.poll(() => order.length).toBe(6)
    await endAll()
  } finally {
    await pool.end({ timeout: 1 })
  }
})

test('client addresses have a third of the connections beside an organization', async () => {
  const pool = openPool(database.url, { connectionsMax: 6 })
  const { order, ask, endAll } = heldTransactions(pool)
  try {
    ask('organization')
    await expect.poll(() => order.length).toBe(1)
    ask(clientGroup('192.0.2.7'), 60)
    await expect.poll(() => order.length).toBe(3)
    ask('organization', 3)
    await expect.poll(() => order.length).toBe(6)
    expect(order.slice(3)).toEqual(Array(3).fill('organization'))
    await endAll()
  } finally {
    await pool.end({ timeout: 1 })
  }
})

test('a batch of everybody’s calls waits with nobody’s, not with the call that came first', async () => {
  const pool = openPool(database.url, { connectionsMax: 2 })
  const lookUp = coalesce<number, number>({
    batchMax: 10,
    inFlightMax: 1,
    run: async (numbers) => {
      await pool`select 1`
      return numbers
    },
  })
  const { order, ends, ask, endAll } = heldTransactions(pool)
  try {
    ask('flood', 40)
    await expect.poll(() => order.length).toBe(2)
    const found = pool.onBehalfOf('flood', () => lookUp(7))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    ends.shift()?.()
    expect(await found).toBe(7)
    expect(order.length).toBeLessThanOrEqual(4)
    await endAll()
  } finally {
    await pool.end({ timeout: 1 })
  }
})
