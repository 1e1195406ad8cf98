import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@symbolon/dev/testing/postgres'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { allGone } from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programFile } from '../../scripts/run.ts'

const measured = 'ab'.repeat(48)
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

/** The service as `npm run start:prod` runs it; there is no enclave. */
function start(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['scripts/run.ts', 'server'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

const childrenOf = (pid: number | undefined): number[] =>
  spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

test('the service runs in production by its built program, in as many processes as configured, and ends with them', async () => {
  const port = await freePort()
  service = start({
    PORT: String(port),
    WORKERS: '2',
    LOG_LEVEL: 'fatal',
    BASE_URL: 'https://wallets.example',
    DATABASE_URL: database.url,
    KMS: `local:${path.join(folder, 'kms.json')}`,
    SECRETS_FILE: path.join(folder, 'secrets.json'),
    ENCLAVE_SOCKET: path.join(folder, 'e.sock'),
    ENCLAVE_MEASUREMENTS: JSON.stringify([{ 0: measured, 1: measured, 2: measured }]),
    SMTP_URL: 'smtp://127.0.0.1:1',
    OIDC_ISSUER: 'https://issuer.example',
    OIDC_CLIENT_ID: 'symbolon',
    OIDC_CLIENT_SECRET: 'not a secret',
  })
  const health = () => fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined)
  await expect.poll(async () => (await health())?.status, { timeout: 20_000 }).toBe(200)
  expect(await (await health())?.json()).toMatchObject({ data: { status: 'degraded' } })
  const guide = await fetch(`http://127.0.0.1:${port}/docs/guides/production`)
  expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining('</html>')])
  await expect.poll(() => childrenOf(service?.pid).length).toBe(2)
  const children = childrenOf(service.pid)
  for (const pid of children) {
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    expect(stdout).toContain(programFile('server'))
  }
  expect(programFile('server')).toMatch(/dist\/programs\/server\.js$/)
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  await allGone(children)
})

test('it names each setting that is missing, and starts nothing', async () => {
  const child = start({ DATABASE_URL: database.url })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  expect((await once(child, 'exit'))[0]).toBe(1)
  expect(said).toMatch(/KMS is missing\n[\s\S]*ENCLAVE_MEASUREMENTS is missing/)
})
