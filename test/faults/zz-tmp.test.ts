import { test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../support/database.ts'
import { faultyWire } from '../support/faulty-wire.ts'
import { openPool } from '../../packages/server/src/db/pool.ts'
test('x', async () => {
  const d = await testDatabase()
  for (const isPatient of [true, false]) for (const kind of ['query', 'begin', 'savepoint']) {
  const wire = await faultyWire(Number(new URL(d.url).port))
  const url = new URL(d.url); url.port = String(wire.port)
  const sql = openPool(url.href, { connectionsMax: 10, isPatient })
  const out: Record<string, number> = {}
  let wrong = 0
  for (let i = 0; i < 150; i++) {
    const n = i * 1000
    const run = async (k: number) => {
      const check = (rows: readonly Record<string, unknown>[]) => { if (rows[0]?.['n'] !== n + k) wrong++ }
      if (kind === 'query') return check(await sql`select ${n + k}::int as n`)
      await sql.begin(async (tx) => {
        check(await tx`select ${n + k}::int as n`)
        if (kind === 'savepoint') await tx.savepoint(async (t) => check(await t`select ${n + k}::int as n`))
      })
    }
    const all = Promise.all(Array.from({ length: 4 }, (_, k) => Promise.race([run(k).then(() => 'ok', (e) => e.code ?? e.message), sleep(3000).then(() => 'HANG')])))
    await sleep(Math.random() * 8)
    await wire.cut(); await wire.mend()
    for (const r of await all) out[r] = (out[r] ?? 0) + 1
  }
  console.log(isPatient ? 'plain' : 'watched', kind, JSON.stringify(out), 'wrong', wrong)
  await sql.end({ timeout: 1 }); await wire.close()
  }
  await d.drop()
}, 300000)
