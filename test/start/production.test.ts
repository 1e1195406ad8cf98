import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '@symbolon/dev/testing/postgres'
import { seedClientWallet, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { allGone } from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programFile } from '../../scripts/run.ts'

let folder: string
let database: TestDatabase
let service: ChildProcess | undefined

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-production-'))
  database = await testDatabase()
})
afterAll(async () => {
  service?.kill('SIGKILL')
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Every setting that a service needs. */
async function settings(): Promise<Record<string, string>> {
  return {
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    WORKERS: '2',
    BASE_URL: 'https://wallets.example',
    DATABASE_URL: database.url,
    KMS: `local:${path.join(folder, 'kms.json')}`,
    SECRETS_FILE: path.join(folder, 'secrets.json'),
    ENCLAVE_SOCKET: path.join(folder, 'e.sock'),
    ENCLAVE_API_KEY: JSON.stringify(generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })),
    SMTP_URL: 'smtp://127.0.0.1:1',
    OIDC_ISSUER: 'https://issuer.example',
    OIDC_CLIENT_ID: 'symbolon',
    OIDC_CLIENT_SECRET: 'not a secret',
  }
}

/** The service as `npm run start:prod` runs it; there is no enclave. */
function start(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['scripts/run.ts', 'server'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** What the service logs, as long as it runs. */
function logOf(child: ChildProcess): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  return lines
}

const childrenOf = (pid: number | undefined): number[] =>
  spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

test('the service runs in production by its built program, in as many processes as configured, and ends with them', async () => {
  const given = await settings()
  const port = given['PORT']
  service = start(given)
  const log = logOf(service)
  const health = () => fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined)
  await expect.poll(async () => (await health())?.status, { timeout: 40_000 }).toBe(200)
  expect(await (await health())?.json()).toMatchObject({ data: { status: 'degraded' } })
  const ofEvent = (event: string) => log.filter((line) => line['event'] === event)
  const address = `http://127.0.0.1:${port}`
  await expect
    .poll(() => ofEvent('started'))
    .toMatchObject([
      {
        level: expect.anything(),
        time: expect.any(Number),
        component: 'api',
        address,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        schema_version: expect.any(Number),
        key_ids: [expect.any(String)],
      },
    ])
  await expect.poll(() => ofEvent('trusted_proxies_unset')).toMatchObject([{ level: expect.anything() }])
  expect((await fetch(`${address}/v1/ready`)).status).toBe(503)
  const down = () => ofEvent('component_down')
  await expect.poll(down).toMatchObject([{ component: 'enclave', level: 40 }])
  for (let i = 0; i < 5; i++) expect((await fetch(`${address}/v1/ready`)).status).toBe(503)
  expect(down()).toHaveLength(1)
  expect(log.filter(({ route }) => route === 'health.ready')).toEqual([])
  for (const line of log)
    expect(line).toMatchObject({ component: expect.any(String), event: expect.any(String) })
  const guide = await fetch(`http://127.0.0.1:${port}/docs/guides/production`)
  expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining('</html>')])
  await expect.poll(() => childrenOf(service?.pid).length).toBe(2)
  const children = childrenOf(service.pid)
  for (const pid of children) {
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    expect(stdout).toContain(programFile('server'))
  }
  expect(programFile('server')).toMatch(/dist\/programs\/server\.js$/)
  await expectNoKeysWithoutTheirFile(given, children, () => ofEvent('worker_died').length)
  // Neither a terminal nor whoever reads its faults ends a service.
  service.stderr?.destroy()
  const serving = childrenOf(service.pid)
  for (const pid of [service.pid ?? 0, ...serving]) process.kill(pid, 'SIGHUP')
  expect((await health())?.status).toBe(200)
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  await allGone([...children, ...serving])
  await expect.poll(() => ofEvent('stopped').length).toBe(1)
  expect(ofEvent('frame_shares_host')).toHaveLength(1)
}, 60_000)

/** A process that takes another's place while the key file is away makes none, says that it has no key, and goes on once it is back. */
async function expectNoKeysWithoutTheirFile(
  { PORT, KMS = '' }: Record<string, string>,
  children: readonly number[],
  deaths: () => number,
): Promise<void> {
  const keyFile = KMS.slice('local:'.length)
  const kms = async () => {
    const response = await fetch(`http://127.0.0.1:${PORT}/v1/ready`, { headers: { connection: 'close' } })
    const body = (await response.json()) as { error: { details: { components: { kms: unknown } } } }
    return body.error.details.components.kms
  }
  expect(await kms()).toEqual({ status: 'up' })
  renameSync(keyFile, `${keyFile}.kept`)
  for (const [i, pid] of children.entries()) {
    process.kill(pid, 'SIGKILL')
    await expect.poll(deaths, { timeout: 10_000 }).toBe(i + 1)
  }
  await expect.poll(kms, { timeout: 20_000 }).toEqual({ status: 'down', reason: 'key_missing' })
  expect(existsSync(keyFile)).toBe(false)
  renameSync(`${keyFile}.kept`, keyFile)
  await expect.poll(kms, { timeout: 10_000 }).toEqual({ status: 'up' })
}

test('once a client-mode wallet exists, a start that moves the frame ends with 78 and says where the shares are', async () => {
  await seedClientWallet(database.sql)
  const child = start({ ...(await settings()), FRAME_BASE_URL: 'https://frame.example' })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  expect((await once(child, 'close'))[0]).toBe(78)
  expect(said).toBe(
    'symbolon: FRAME_BASE_URL must stay https://wallets.example: the device shares of existing client-mode wallets are kept there.\n',
  )
})

test('it names each setting that is missing or wrong in a line of its own, contacts nothing and starts nothing', async () => {
  const child = start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PORT: '0' })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  expect((await once(child, 'close'))[0]).toBe(78)
  const lines = said.trimEnd().split('\n')
  const given = new Set(['DATABASE_URL', 'PORT', 'METRICS_PORT', 'WORKERS'])
  expect(lines).toContain('symbolon: KMS is missing.')
  for (const name of Object.keys(await settings()).filter((key) => !given.has(key)))
    expect(lines).toContain(`symbolon: ${name} is missing.`)
  expect(lines).toContain('symbolon: PORT must be a whole number from 1 to 65535.')
  for (const line of lines) expect(line).toMatch(/^symbolon: [A-Z_]+ [^\n]+\.$/)
})

test('a fault that shows on contact ends the service with 1 and one sentence, and no process of it is left', async () => {
  const wrong = new URL(database.url)
  wrong.password = 'hidden'
  const child = start({ ...(await settings()), DATABASE_URL: wrong.href })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(said).toMatch(/^symbolon: The database at DATABASE_URL refuses the service \([^\n]+\)\.\n$/)
  expect(said).not.toContain('hidden')
})
