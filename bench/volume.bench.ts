/**
 * The lists at volume: every filter of the wallet list and of the audit log at four depths, timed inside the database.
 *   --full                 1 M wallets and 10 M events (about ten minutes to fill); --wallets n --events n for others
 *   --data <folder>        keeps the filled database there, and takes it from there when it is filled
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@symbolon/dev/testing/postgres'
import { openPool, type Sql } from '@symbolon/server/pool'
import { migrate } from '@symbolon/server/testing/db'
import { printTable, writeResults } from './support/results.ts'
import { auditCases, walletCases } from './volume/cases.ts'
import { fillEvents } from './volume/fill-events.ts'
import { fillWallets } from './volume/fill-wallets.ts'
import { measureCases, verdict } from './volume/measure.ts'

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    wallets: { type: 'string' },
    events: { type: 'string' },
    runs: { type: 'string', default: '31' },
    data: { type: 'string' },
  },
})
const scale = {
  wallets: Number(values.wallets ?? (values.full ? 1_000_000 : 100_000)),
  events: Number(values.events ?? (values.full ? 10_000_000 : 500_000)),
}

const folder = values.data ?? mkdtempSync(path.join(tmpdir(), 'symbolon-volume-'))
const server = await startPostgres({ folder, isDurable: false })
const sql = openPool(server.url, { connectionsMax: 3, isPatient: true })
try {
  const { wallets, events, seconds } = await filled(sql)
  const cases = [...(await walletCases(sql, wallets)), ...(await auditCases(sql, events))]
  const measured = await measureCases(sql, server.url, cases, Number(values.runs))
  const { rows, problems } = verdict(measured)
  printTable(
    `Pages inside the database: ${scale.wallets} wallets, ${scale.events} events, median of ${values.runs} (ms)`,
    ['list, filter, limit', '0', '10 %', '50 %', '99.9 %', 'worst / first', 'planning', 'pages'],
    rows,
  )
  for (const problem of problems) process.stdout.write(`MISSED: ${problem}\n`)
  writeResults('volume', {
    ...scale,
    runs: Number(values.runs),
    fillSeconds: seconds,
    problems,
    cases: measured,
  })
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await sql.end({ timeout: 5 })
  await server.stop()
  if (values.data === undefined) {
    rmSync(folder, { recursive: true, force: true })
    if (!server.data.startsWith(folder)) rmSync(path.dirname(server.data), { recursive: true, force: true })
  }
}

/** Fills the database, unless a run before has. */
async function filled(sql: Sql): Promise<{ wallets: string; events: string; seconds: number }> {
  const done = path.join(folder, `filled-${scale.wallets}-${scale.events}`)
  if (!existsSync(done)) {
    const startedAt = performance.now()
    await migrate(sql)
    await fillWallets(sql, scale.wallets)
    await fillEvents(sql, scale.events)
    writeFileSync(done, String(Math.round((performance.now() - startedAt) / 1000)))
  }
  const rows = await sql<{ wallets: string; events: string }[]>`
    select (select organization_id from organization_counters where wallets = ${scale.wallets}) as wallets,
      (select organization_id from organization_counters where events = ${scale.events}) as events`
  if (rows[0] === undefined) throw new Error('The database is not filled.')
  return { ...rows[0], seconds: Number(readFileSync(done, 'utf8')) }
}
