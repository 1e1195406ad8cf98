/** From the start command to the first verified-by-the-enclave signature and to the local chains: cold (an empty data folder) and warm. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@symbolon/dev/testing/postgres'
import { median } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'

const rounds = Number(process.argv[2] ?? 5)
const root = fileURLToPath(new URL('..', import.meta.url))

type Times = { servedMs: number; signatureMs: number; chainMs: number }

/** Starts the platform as `npm start` does, waits for a signature and for the local chains, and stops it again. */
async function startAndSign(folder: string, port: number): Promise<Times> {
  const startedAt = performance.now()
  const child = spawn('node', ['scripts/node.mjs', 'scripts/run.ts', 'start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), SYMBOLON_DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const base = `http://127.0.0.1:${port}`
  let servedMs = 0
  while (servedMs === 0) {
    const health = await fetch(`${base}/v1/health`).catch(() => undefined)
    if (health?.ok) servedMs = performance.now() - startedAt
    else await sleep(5)
    if (child.exitCode !== null) throw new Error('The platform did not start.')
  }
  const file = path.join(folder, 'dev.json')
  const call = async (route: string, body: object) => {
    const { organizations } = JSON.parse(readFileSync(file, 'utf8')) as {
      organizations: { tee: { secret_key: string } }
    }
    return fetch(base + route, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${organizations.tee.secret_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  }
  while (!existsSync(file)) await sleep(5)
  const made = await call('/v1/s2s/wallets', { email: 'start@example.test' })
  const { data } = (await made.json()) as { data: { id: string } }
  const signed = await call('/v1/s2s/sign', { wallet_id: data.id, type: 'message', message: 'hello' })
  if (signed.status !== 200) throw new Error(`The first signature was answered ${signed.status}.`)
  const signatureMs = performance.now() - startedAt
  // The last part to come up.
  while (!(await fetch(`${base}/v1/ready`)).ok) await sleep(20)
  const chainMs = performance.now() - startedAt
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  return { servedMs, signatureMs, chainMs }
}

const cold: Times[] = []
const warm: Times[] = []
for (let round = 0; round < rounds; round++) {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-start-'))
  const port = await freePort()
  cold.push(await startAndSign(folder, port))
  warm.push(await startAndSign(folder, port))
  rmSync(folder, { recursive: true, force: true })
}
const of = (times: Times[], field: keyof Times) => median(times.map((time) => time[field]))
printTable(
  'Start, ms',
  ['', 'first request served', 'first signature', 'local chains ready', 'wanted'],
  [
    [
      'cold',
      of(cold, 'servedMs'),
      of(cold, 'signatureMs'),
      of(cold, 'chainMs'),
      'signature < 2000, chain < 8000',
    ],
    [
      'warm',
      of(warm, 'servedMs'),
      of(warm, 'signatureMs'),
      of(warm, 'chainMs'),
      'signature < 1000, chain < 8000',
    ],
  ],
)
writeResults('start', { rounds, cold, warm })
