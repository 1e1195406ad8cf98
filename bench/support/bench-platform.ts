import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startPostgres } from '@symbolon/dev/testing/postgres'
import { openPool } from '@symbolon/server/pool'
import { openSecretsFile, systemIds, systemRandom } from '@symbolon/server/testing/adapters'
import { insertApiKey } from '@symbolon/server/testing/organizations'

/** A platform as `npm start` brings it up, on a durable database of its own, with many keys and wallets. */
export type BenchPlatform = {
  port: number
  pid: number
  databasePid: number
  databaseUrl: string
  folder: string
  organizationId: string
  secretKeys: string[]
  walletIds: string[]
  stop(): Promise<void>
}

const run = fileURLToPath(new URL('../../scripts/run.ts', import.meta.url))

/** Starts it and fills it through its own API. */
export async function benchPlatform(options: {
  keys: number
  wallets: number
  workers?: number
}): Promise<BenchPlatform> {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-bench-'))
  const database = await startPostgres({ folder: path.join(folder, 'database') })
  const data = path.join(folder, 'data')
  const { child, port } = await startPlatform(data, database.url, options.workers)
  const file = path.join(data, 'dev.json')
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error('The platform did not start.')
    await sleep(20)
  }
  const { organizations } = JSON.parse(readFileSync(file, 'utf8')) as {
    organizations: { tee: { id: string } }
  }
  const organizationId = organizations.tee.id
  const secretKeys = await mintKeys(database.url, data, organizationId, options.keys)
  const walletIds = await makeWallets(port, secretKeys[0] ?? '', options.wallets)
  return {
    port,
    pid: child.pid ?? 0,
    databasePid: database.pid() ?? 0,
    databaseUrl: database.url,
    folder,
    organizationId,
    secretKeys,
    walletIds,
    async stop() {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startPlatform(
  data: string,
  databaseUrl: string,
  workers: number | undefined,
): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort()
  const child = spawn(process.execPath, [run, 'start'], {
    env: {
      ...process.env,
      PORT: String(port),
      SYMBOLON_DATA_DIR: data,
      DATABASE_URL: databaseUrl,
      SYMBOLON_CHAIN: 'off',
      LOG_LEVEL: 'warn',
      ...(workers !== undefined && { WORKERS: String(workers) }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { child, port }
}

async function mintKeys(
  databaseUrl: string,
  data: string,
  organizationId: string,
  count: number,
): Promise<string[]> {
  const sql = openPool(databaseUrl, { connectionsMax: 4, isPatient: true })
  const { pepper } = openSecretsFile(path.join(data, 'secrets', 'server.json'))
  const minting = {
    ids: systemIds(),
    random: systemRandom,
    hashToken: (token: string) => createHmac('sha256', pepper).update(token).digest(),
  }
  const key = {
    name: 'bench',
    type: 'secret' as const,
    scope: 'full' as const,
    ipAllowlist: [],
    expiresAt: null,
  }
  const secretKeys: string[] = []
  for (let i = 0; i < count; i++) secretKeys.push((await insertApiKey(minting, sql, organizationId, key)).key)
  await sql.end()
  return secretKeys
}

// Few enough that a busy machine makes them within the time of an answer.
const batch = 20

async function makeWallets(port: number, secretKey: string, count: number): Promise<string[]> {
  const walletIds: string[] = []
  for (let i = 0; i < count; i += batch) {
    const items = Array.from({ length: Math.min(batch, count - i) }, (_, k) => ({
      email: `bench-${i + k}@example.test`,
    }))
    const response = await fetch(`http://127.0.0.1:${port}/v1/s2s/wallets/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`No wallets: ${response.status} ${text}`)
    const { data } = JSON.parse(text) as { data: { items: { data: { id: string } }[] } }
    walletIds.push(...data.items.map((item) => item.data.id))
  }
  return walletIds
}
