import { readFileSync } from 'node:fs'
import path from 'node:path'
import { enclaveVersion } from '@symbolon/enclave/version'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { expectedMeasurements } from '@symbolon/testing/enclave'
import { type DevJson, dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import { until } from '@symbolon/testing/wait'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, runSymbolon } from './run-symbolon.ts'

type Processes = { processes: { role: string; pid: number }[] }

const folder = dataFolder()
const environment = { SYMBOLON_DATA_DIR: folder.path }
let database: TestDatabase
let platform: StartedPlatform
let file: DevJson
let walletId: string

beforeAll(async () => {
  database = await testDatabase()
  platform = await startedPlatform({ dataFolder: folder.path, environment: { DATABASE_URL: database.url } })
  file = await platform.ready()
  walletId = (await call('/v1/s2s/wallets', { email: 'command@example.test', curve: 'secp256k1' })).id
})
afterAll(async () => {
  platform?.launcher.kill('SIGTERM')
  await platform?.ended()
  folder.remove()
  await database.drop()
})

async function call(route: string, json: object): Promise<{ id: string }> {
  const response = await fetch(file.base_url + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${file.organizations.tee.secret_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(json),
  })
  const body = (await response.json()) as { data: { id: string } }
  if (!response.ok) throw new Error(JSON.stringify(body))
  return body.data
}

const sign = () => call('/v1/s2s/sign', { wallet_id: walletId, type: 'message', message: 'hello' })

/** The process of a role, as `dev.json` lists it now. */
function pidOf(role: string): number | undefined {
  const { processes } = JSON.parse(readFileSync(path.join(folder.path, 'dev.json'), 'utf8')) as Processes
  return processes.find((each) => each.role === role)?.pid
}

const [pcr0, pcr1, pcr2] = [0, 1, 2].map((index) => expectedMeasurements[index])
const serving = { phase: 'serving', image: { version: enclaveVersion, pcr0, pcr1, pcr2, pcr8: null } }

test('the status has the ring that the database names, and the enclave that serves with it', async () => {
  const [ring] = await database.sql<{ id: string }[]>`select id from enclave_rings`
  const ringId = ring?.id
  expect(ringId).toMatch(/^[\w-]{43}$/)
  expect(await resultOf(['enclave', 'status'], environment)).toEqual({
    mode: 'simulated',
    ring_id: ringId,
    versions: [{ version: 1, state: 'current' }],
    enclaves: [{ pid: pidOf('enclave'), ring_id: ringId, version: 1, ...serving }],
    epoch: 1,
  })
})

test('a rotation gives the ring a version, puts the wallets under it, and they go on signing', async () => {
  await sign()
  const [ring] = await database.sql<{ id: string }[]>`select id from enclave_rings`
  expect(await resultOf(['enclave', 'rotate'], environment)).toEqual({ ring_id: ring?.id, version: 2 })
  const rows = await database.sql`select distinct key_version_a from wallets where signing_mode = 'tee'`
  expect(rows).toEqual([{ key_version_a: 2 }])
  await sign()
  expect(await resultOf(['enclave', 'status'], environment)).toMatchObject({
    versions: [
      { version: 1, state: 'retired' },
      { version: 2, state: 'current' },
    ],
    enclaves: [{ version: 2 }],
  })
})

test('an operator orders through the platform alone, with a key that the manifest names and no other', async () => {
  const [ring] = await database.sql<{ id: string }[]>`select id from enclave_rings`
  const elsewhere = { SYMBOLON_DATA_DIR: path.join(folder.path, 'none') }
  const stranger = path.join(folder.path, 'stranger.json')
  await resultOf(['enclave', 'operator-key', '--out', stranger], elsewhere)
  const rotate = ['enclave', 'rotate', '--json', '--operator-key']
  const refused = await runSymbolon([...rotate, stranger], environment)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain(`${stranger} is not the key of an operator`)
  expect(await runSymbolon([...rotate, path.join(folder.path, 'dev.json')], environment)).toMatchObject({
    code: 1,
    stdout: '',
  })
  expect(await runSymbolon([...rotate, stranger, '--ring', 'A'.repeat(43)], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ring_mismatch'),
  })
  // To a platform of production, a simulated attestation proves nothing, whatever key signs.
  const own = path.join(folder.path, 'enclave', 'operator-key.json')
  const remote = [...rotate, own, '--url', file.base_url, '--ring', ring?.id ?? '']
  const measurements = JSON.stringify([{ 0: pcr0, 1: pcr1, 2: pcr2 }])
  const { code, stdout, stderr } = await runSymbolon(remote, {
    ...elsewhere,
    ENCLAVE_MEASUREMENTS: measurements,
  })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('simulated_not_allowed')
  for (const missing of [
    ['enclave', 'rotate', '--url', file.base_url],
    ['enclave', 'seal', '--url', file.base_url, '--ring', ring?.id ?? ''],
    ['enclave', 'seal', '--url', 'nowhere', '--ring', ring?.id ?? '', '--operator-key', own],
  ])
    expect(await runSymbolon(missing, elsewhere)).toMatchObject({ code: 2, stdout: '' })
  expect(await resultOf(['enclave', 'status'], environment)).toMatchObject({ enclaves: [{ version: 2 }] })
})

test('the manifest names the frame that is served: of this machine, and at the address that is named', async () => {
  const verified = { verdict: 'verified', mode: 'simulated' }
  expect(await resultOf(['verify', 'frame'], environment)).toMatchObject(verified)
  const root = path.join(folder.path, 'dev.json')
  const key = file.organizations.client.publishable_key
  const options = ['--allow-simulated', '--root', root, '--publishable-key', key]
  expect(await resultOf(['verify', 'frame', file.base_url, ...options], environment)).toMatchObject(verified)
})

test('without an installation, verify frame wants an address', async () => {
  const { code, stdout, stderr } = await runSymbolon(['verify', 'frame'], {
    SYMBOLON_DATA_DIR: path.join(folder.path, 'none'),
  })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain("A platform's base URL is required.")
})

test('dev.json lists the API and the enclave, and follows when one is killed and started again', async () => {
  expect(pidOf('api')).toBeGreaterThan(1)
  const former = pidOf('enclave')
  if (former === undefined) throw new Error('dev.json lists no enclave.')
  process.kill(former, 'SIGKILL')
  await until(async () => ![undefined, former].includes(pidOf('enclave')))
  // On a busy machine the new one takes a while to serve.
  await expect
    .poll(() => resultOf(['enclave', 'status'], environment), { timeout: 20_000 })
    .toMatchObject({ enclaves: [{ pid: pidOf('enclave'), ...serving }] })
})

test('for people, the same is text', async () => {
  const { code, stdout, stderr } = await runSymbolon(['enclave', 'status'], environment)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^enclave {6}process \d+: serving, ring [\w-]{43}, version 2, image \d+\.\d+\.\d+$/m)
  expect(stdout).toMatch(
    /^attestation {2}simulated\nkey ring {5}[\w-]{43}\nversions {5}1 retired, 2 current\nepoch {8}1\n/,
  )
})

test('a seal ends the enclave, and the start has another', async () => {
  const former = pidOf('enclave')
  const [ring] = await database.sql<{ id: string }[]>`select id from enclave_rings`
  expect(await resultOf(['enclave', 'seal'], environment)).toEqual({ ring_id: ring?.id, phase: 'sealed' })
  await expect
    .poll(() => resultOf(['enclave', 'status'], environment), { timeout: 20_000 })
    .toMatchObject({ enclaves: [serving] })
  expect(pidOf('enclave')).not.toBe(former)
  await sign()
}, 60_000)

test('an enclave that does not answer is part of the status, and a rotation fails with a sentence', async () => {
  platform.launcher.kill('SIGTERM')
  await platform.ended()
  expect(await resultOf(['enclave', 'status'], environment)).toMatchObject({
    mode: 'simulated',
    enclaves: [{ phase: null, ring_id: null, version: null, image: null }],
  })
  const { code, stdout, stderr } = await runSymbolon(['enclave', 'rotate', '--json'], environment)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe('symbolon: The enclave cannot do this now (unavailable).\n')
  expect(await runSymbolon(['enclave', 'seal'], environment)).toEqual({
    code: 1,
    stdout: '',
    stderr: `symbolon: No answer from ${file.base_url}: does the platform run there?\n`,
  })
})
