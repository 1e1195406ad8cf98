import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeRingFile, ringFileState } from '@symbolon/enclave/file-root'
import { manifestFileOf, openManifestFile } from '@symbolon/enclave/manifest-file'
import { makeLocalKeys } from '@symbolon/server/testing/adapters'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { type DevJson, dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = dataFolder()
let database: TestDatabase
let running: StartedPlatform | undefined
let file: DevJson
let ringFile: string
let walletId: string

beforeAll(async () => {
  database = await testDatabase()
  file = await start()
  ringFile = String((file as DevJson & { enclave_root: string }).enclave_root).slice('file:'.length)
  const made = await call('POST', '/v1/s2s/wallets', { email: 'ring@example.test', curve: 'secp256k1' })
  walletId = made.body.data.id
  expect(await signed()).toBe(200)
})
afterAll(async () => {
  await stop()
  folder.remove()
  await database.drop()
})

/** One worker: each test is a start or several. */
const environment = () => ({ DATABASE_URL: database.url, WORKERS: '1' })

/** Starts it anew. What a test leaves well goes on running, for a next one that needs no start of its own. */
async function start(port?: number): Promise<DevJson> {
  await stop()
  running = await startedPlatform({
    dataFolder: folder.path,
    environment: environment(),
    ...(port !== undefined && { port }),
  })
  return running.ready()
}

async function stop(): Promise<void> {
  running?.launcher.kill('SIGTERM')
  await running?.ended()
  running = undefined
}

async function call(method: string, path: string, json?: object) {
  const response = await fetch(`http://127.0.0.1:${running?.port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${file.organizations.tee.secret_key}`,
      'content-type': 'application/json',
    },
    ...(json && { body: JSON.stringify(json) }),
  })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as { data: { id: string }; error: unknown },
  }
}

const signed = async () =>
  (await call('POST', '/v1/s2s/sign', { wallet_id: walletId, type: 'message', message: 'hello' })).status

test('the start signs its own manifest, and a new version of it where its address is another one', async () => {
  const { port, ...first } = {
    port: Number(new URL(file.base_url).port),
    ...openManifestFile(ringFile),
  }
  expect(first).toMatchObject({
    quorum: { k: 1, n: 1 },
    configuration: { state_acceptance: 'automatic', base_url: `http://127.0.0.1:${port}` },
  })
  await start(port)
  expect(openManifestFile(ringFile)).toEqual(first)
  await start()
  const { version, configuration } = openManifestFile(ringFile)
  expect([version, configuration.base_url]).toEqual([first.version + 1, `http://127.0.0.1:${running?.port}`])
  expect(await signed()).toBe(200)
  for (const key of ['enclave/operator-key.json', 'secrets/enclave-api-key.json'])
    expect(statSync(path.join(folder.path, key)).mode & 0o777).toBe(0o600)
}, 90_000)

test('a ring that is gone when the enclave starts anew is named in the terminal, too', async () => {
  const kept = `${ringFile}.kept`
  renameSync(ringFile, kept)
  const { processes } = JSON.parse(readFileSync(path.join(folder.path, 'dev.json'), 'utf8')) as {
    processes: { role: string; pid: number }[]
  }
  const pid = processes.find(({ role }) => role === 'enclave')?.pid
  if (pid === undefined) throw new Error('no enclave')
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(() => running?.output())
    .toContain(`enclave-simulated: the key ring at ${ringFile} is missing or cannot be read.`)
  renameSync(kept, ringFile)
  await expect.poll(signed).toBe(200)
})

test('a start without its ring names the file, stays up, makes none, and signs once it is back', async () => {
  await stop()
  const kept = `${ringFile}.kept`
  renameSync(ringFile, kept)
  await start()
  expect(running?.output()).toContain(
    `enclave-simulated: the key ring ${ringFile} is missing. Put the right file back`,
  )
  expect(await call('GET', '/v1/ready')).toMatchObject({
    status: 503,
    body: {
      error: {
        code: 'enclave_ring_mismatch',
        details: { components: { enclave: { status: 'down', reason: 'ring_missing', ring_id: null } } },
      },
    },
  })
  expect(await signed()).toBe(503)
  expect(existsSync(ringFile)).toBe(false)
  renameSync(kept, ringFile)
  await expect.poll(signed).toBe(200)
})

test.each<[string, () => void, string]>([
  ['a damaged ring', () => writeFileSync(ringFile, '{'), 'cannot be read as a key ring'],
  ['a foreign ring', () => makeRingFile(ringFile), 'is the key ring of another installation'],
])('%s is named by the start and left as it is', async (_, replace, sentence) => {
  await stop()
  const right = readFileSync(ringFile)
  rmSync(ringFile)
  replace()
  const wrong = readFileSync(ringFile, 'utf8')
  await start()
  expect(running?.output()).toContain(`enclave-simulated: ${ringFile} ${sentence}`)
  expect(await signed()).toBe(503)
  expect(readFileSync(ringFile, 'utf8')).toBe(wrong)
  await stop()
  writeFileSync(ringFile, right)
})

test('a start whose manifest is gone or another one names the file, stays up, makes none, and signs once it is back', async () => {
  await stop()
  const place = manifestFileOf(ringFile)
  const right = readFileSync(place, 'utf8')
  rmSync(place)
  await start()
  expect(running?.output()).toContain(
    `enclave-simulated: the manifest ${place} of the key ring is missing. Put the right file back`,
  )
  expect(await call('GET', '/v1/ready')).toMatchObject({
    status: 503,
    body: { error: { code: 'enclave_ring_mismatch' } },
  })
  expect(await signed()).toBe(503)
  expect(existsSync(place)).toBe(false)
  writeFileSync(place, right, { mode: 0o600 })
  await expect.poll(signed).toBe(200)
  await stop()
  const spoilt = right.replace('"automatic"', '"operators"')
  writeFileSync(place, spoilt)
  await start()
  expect(running?.output()).toContain(`enclave-simulated: ${place} is not the manifest of this key ring.`)
  expect(await signed()).toBe(503)
  expect(readFileSync(place, 'utf8')).toBe(spoilt)
  await stop()
  writeFileSync(place, right)
}, 90_000)

/** Leaves the folder as it was before there were manifests. */
function forgetManifests(): void {
  for (const file of [manifestFileOf(ringFile), path.join(folder.path, 'enclave/operator-key.json')])
    rmSync(file)
}

test('a ring from before there were manifests gets its first one, once', async () => {
  await stop()
  forgetManifests()
  await start()
  expect(await signed()).toBe(200)
  expect(openManifestFile(ringFile).version).toBe(1)
})

test('keys and wallets from before rings had ids are adopted by a start, and keep signing', async () => {
  await stop()
  const { versions, key_id: keyId } = JSON.parse(readFileSync(ringFile, 'utf8'))
  const old = { format: 'symbolon-keys/1', keys: { 'tee-a': { keyId, versions } } }
  writeFileSync(ringFile, JSON.stringify(old), { mode: 0o600 })
  forgetManifests()
  await forgetRing(database)
  await start()
  expect(await signed()).toBe(200)
  const adopted = ringFileState(ringFile)
  expect(adopted.kind).toBe('ring')
  expect(
    await database.sql`select distinct ring_id as id from wallets where signing_mode = 'tee'`,
  ).toMatchObject([{ id: adopted.kind === 'ring' ? adopted.id : '' }])
  expect(openManifestFile(ringFile)).toMatchObject({
    version: 1,
    ring_id: adopted.kind === 'ring' && adopted.id,
  })
})

test('keys that do not open the wallets are not adopted', async () => {
  await stop()
  const right = readFileSync(ringFile)
  const old = {
    format: 'symbolon-keys/1',
    keys: { 'tee-a': { keyId: 'local:tee-a:00', versions: [Buffer.alloc(32, 7).toString('base64')] } },
  }
  writeFileSync(ringFile, JSON.stringify(old))
  await forgetRing(database)
  await start()
  expect(running?.output()).toContain(
    `enclave-simulated: ${ringFile} does not open the wallets of this database.`,
  )
  expect(await signed()).toBe(503)
  expect(ringFileState(ringFile)).toEqual({ kind: 'old' })
  await stop()
  writeFileSync(ringFile, right)
})

test('a start without the keys or the secrets of its organizations ends with one sentence that names the file, and makes none', async () => {
  for (const [setting, name] of [
    ['KMS', 'kms/keys.json'],
    ['SECRETS_FILE', 'secrets/server.json'],
  ] as const) {
    await stop()
    const lost = path.join(folder.path, name)
    renameSync(lost, `${lost}.kept`)
    for (let i = 0; i < 2; i++) {
      running = await startedPlatform({ dataFolder: folder.path, environment: environment() })
      expect(await running.ended()).toBe(1)
      expect(running.output()).toMatch(
        new RegExp(`^(Starting: [^\\n]*\\n)?(symbolon: )?${setting}[^\\n]*${lost}[^\\n]*\\n$`),
      )
      expect(existsSync(lost)).toBe(false)
    }
    renameSync(`${lost}.kept`, lost)
  }
  await start()
  expect(await signed()).toBe(200)
})

test('with the key file of another installation the host is not ready, makes nothing at any restart, and signs once the right one is back', async () => {
  await stop()
  const keyFile = path.join(folder.path, 'kms/keys.json')
  renameSync(keyFile, `${keyFile}.kept`)
  makeLocalKeys(keyFile)
  const foreign = readFileSync(keyFile, 'utf8')
  for (let i = 0; i < 2; i++) {
    await start()
    expect(running?.output()).toContain(`KMS: ${keyFile} does not have the keys of this database.`)
    expect(await call('GET', '/v1/ready')).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'unavailable',
          details: { components: { kms: { status: 'down', reason: 'key_foreign' } } },
        },
      },
    })
    const wallet = { email: `foreign-${i}@example.test`, curve: 'secp256k1' }
    for (const [route, body] of [
      ['/v1/s2s/wallets', wallet],
      ['/v1/s2s/sign', { wallet_id: walletId, type: 'message', message: 'hello' }],
    ] as const) {
      const answer = await call('POST', route, body)
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
      expect(Number(answer.retryAfter)).toBeGreaterThan(0)
    }
    expect(readFileSync(keyFile, 'utf8')).toBe(foreign)
    await stop()
  }
  renameSync(`${keyFile}.kept`, keyFile)
  await start()
  expect(await signed()).toBe(200)
})

/** The rows as they were before rings had ids. */
async function forgetRing({ sql }: TestDatabase): Promise<void> {
  await sql`alter table wallets drop constraint if exists wallets_tee_ring`
  await sql`update wallets set ring_id = null`
  await sql`delete from enclave_ring_versions`
  await sql`delete from enclave_rings`
}
