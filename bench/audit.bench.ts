/**
 * The audit log over HTTP, as the portal reads it: pages at both ends of a long log, its signed head, proofs, and the whole
 * export verified by the published program. Arguments: events (1,000,000; `--full` for ten million), runs per page.
 */
import { spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { createWriteStream, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openPool } from '@symbolon/server/pool'
import { openSecretsFile, systemIds } from '@symbolon/server/testing/adapters'
import { ensureBuilt } from '../scripts/build.ts'
import { benchPlatform } from './support/bench-platform.ts'
import { median } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'
import { fillEvents } from './volume/fill-events.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string' },
    full: { type: 'boolean', default: false },
    runs: { type: 'string', default: '21' },
  },
})
const events = Number(values.events ?? (values.full ? 10_000_000 : 1_000_000))
const runs = Number(values.runs)
const pageMsMax = 100
const program = fileURLToPath(new URL('../packages/verify/dist/verify.js', import.meta.url))

await ensureBuilt(['verify'])
const platform = await benchPlatform({ keys: 0, wallets: 0, workers: 1 })
const base = `http://127.0.0.1:${platform.port}`
const sql = openPool(platform.databaseUrl, { connectionsMax: 2, isPatient: true })
try {
  const { seconds: fillSeconds, value: filled } = await timed(() => fillEvents(sql, events))
  const cookie = `session=${await openSession(filled.organizationId)}`
  const log = `${base}/v1/orgs/${filled.organizationId}/audit`
  const get = (url: string) => fetch(url, { headers: { cookie } })

  const rows: (string | number)[][] = []
  const problems: string[] = []
  const filters = [
    '',
    '&event_type=wallet.signed',
    '&success=false',
    '&event_type=wallet.archived&success=true',
  ]
  for (const filter of filters) {
    for (const limit of [50, 200]) {
      const { data } = (await (await get(`${log}?limit=1${filter}`)).json()) as { data: { total: number } }
      const cells: number[] = []
      for (const offset of [0, Math.floor(data.total / 2), Math.max(0, data.total - limit)]) {
        const took: number[] = []
        for (let run = 0; run < runs; run++) {
          const { seconds, value } = await timed(async () =>
            (await get(`${log}?limit=${limit}&offset=${offset}${filter}`)).json(),
          )
          const { items } = (value as { data: { items: unknown[] } }).data
          if (items.length !== Math.min(limit, data.total - offset))
            throw new Error(`A page has ${items.length} events.`)
          took.push(seconds * 1000)
        }
        cells.push(median(took), Math.max(...took))
        if (median(took) > pageMsMax) problems.push(`${filter} at ${offset}: ${median(took)} ms`)
      }
      rows.push([`${filter === '' ? 'none' : filter.slice(1)}, ${limit}`, data.total, ...cells])
    }
  }
  const columns = ['first', 'worst', 'middle', 'worst', 'last', 'worst']
  printTable(
    `Pages over HTTP: ${events} events, median and worst of ${runs} (ms)`,
    ['filter, limit', 'total', ...columns],
    rows,
  )

  // The first head of a log that was filled behind the service's back: everything has to be hashed.
  const { seconds: hashSeconds } = await timed(async () => {
    while ((await get(`${log}/checkpoint`)).status !== 200) await sleep(100)
  })
  const head = await timed(async () => (await get(`${log}/checkpoint`)).json())
  const { data: oldest } = (await (await get(`${log}?limit=1&offset=${events - 1}`)).json()) as {
    data: { items: [{ id: string }] }
  }
  const proof = await timed(async () => (await get(`${log}/${oldest.items[0].id}/proof`)).json())
  const consistency = await timed(async () =>
    (await get(`${log}/consistency?from=${Math.floor(events / 3)}`)).json(),
  )

  const file = path.join(platform.folder, 'export.ndjson')
  const exported = await timed(async () => {
    const { body } = await get(`${log}/export?checkpoint=true`)
    if (body === null) throw new Error('Nothing was exported.')
    await pipeline(Readable.fromWeb(body as never), createWriteStream(file))
  })
  const jwks = path.join(platform.folder, 'jwks.json')
  writeFileSync(jwks, await (await fetch(`${base}/.well-known/jwks.json`)).text())
  const verified = await timed(async () =>
    spawnSync(process.execPath, [program, file, '--jwks', jwks], { encoding: 'utf8' }),
  )
  if (verified.value.status !== 0)
    problems.push(`the export was not verified: ${verified.value.stdout}${verified.value.stderr}`)
  const measured = {
    fillSeconds,
    hashSeconds,
    headMs: head.seconds * 1000,
    proofMs: proof.seconds * 1000,
    consistencyMs: consistency.seconds * 1000,
    exportSeconds: exported.seconds,
    exportMegabytes: statSync(file).size / 1e6,
    verifySeconds: verified.seconds,
  }
  printTable('Head, proofs, export, verification', ['what', ''], Object.entries(measured))
  for (const problem of problems) process.stdout.write(`MISSED: ${problem}\n`)
  writeResults('audit', { events, runs, problems, pages: rows, ...measured })
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await sql.end({ timeout: 5 })
  await platform.stop()
}

async function timed<value>(work: () => Promise<value>): Promise<{ seconds: number; value: value }> {
  const startedAt = performance.now()
  const value = await work()
  return { seconds: (performance.now() - startedAt) / 1000, value }
}

/** A session of an owner, as a login would open it. */
async function openSession(organizationId: string): Promise<string> {
  const { pepper } = openSecretsFile(path.join(platform.folder, 'data', 'secrets', 'server.json'))
  const token = randomBytes(32).toString('base64url')
  const hash = createHmac('sha256', pepper).update(token).digest()
  const [ids, user] = [systemIds(), systemIds().next()]
  await sql`insert into portal_users (id, email) values (${user}, 'bench@example.test')`
  await sql`insert into organization_members (id, organization_id, user_id, role) values (${ids.next()}, ${organizationId}, ${user}, 'owner')`
  await sql`insert into portal_sessions (id, user_id, token_hash, expires_at)
    values (${ids.next()}, ${user}, ${hash}, now() + interval '1 day')`
  return token
}
