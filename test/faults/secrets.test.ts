import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mintToken as mintKeyToken } from '@symbolon/crypto'
import { mailboxStore } from '@symbolon/dev/testing/platform'
import { ringFileState } from '@symbolon/enclave/file-root'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  type ApiProcess,
  asUser,
  createMyWallet,
  createOrganization,
  logIn,
  mintSecretKeys,
  type Organization,
  type PlatformProcesses,
  publishable,
  secret,
  signFor,
  signMine,
  startPlatformProcesses,
  verifyLogin,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let platform: PlatformProcesses
let api: ApiProcess
/** The secrets to look for, each by a name that may be printed. */
const secrets = new Map<string, string>()
/** Surely logged, so that a silent log cannot pass. */
let requestId: string

/** A value of its own that no honest line could hold. */
function planted(name: string): string {
  const value = `planted-${randomBytes(12).toString('hex')}`
  secrets.set(`planted ${name}`, value)
  return value
}

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({
    databaseUrl: database.url,
    apiCount: 1,
    environment: { LOG_LEVEL: 'debug' },
  })
  const [only] = platform.apis
  if (only === undefined) throw new Error('no API process')
  api = only
  const organization = await createOrganization(api)
  await useHonestly(organization)
  await useBadly(organization)
  await breakThings(organization)
  rememberFiles()
})

afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

async function useHonestly(organization: Organization) {
  for (const name of ['publishable_key', 'secret_key', 'read_key'] as const)
    secrets.set(name, organization[name])
  for (let i = 0; i < 3; i++) {
    const user = await logIn(platform, api, organization)
    secrets.set(`token ${i}`, user.token)
    secrets.set(`token signature ${i}`, user.token.split('.')[2] ?? '')
    const [mail] = await mailboxStore.list(platform.sql, user.email)
    secrets.set(`mail ${i}`, (mail?.text ?? '').trim())
    secrets.set(`email ${i}`, user.email)
    const wallet = await createMyWallet(api, organization, user)
    const signed = await signMine(api, organization, user.token, planted(`message ${i}`))
    expect(signed.status).toBe(200)
    await signFor(api, organization.secret_key, String(wallet.data['id']), planted(`backend message ${i}`))
    await createMyWallet(api, organization, user)
    await api.call('/v1/wallets/me/logout', { method: 'POST', headers: asUser(organization, user.token) })
    expect((await signMine(api, organization, user.token)).status).toBe(401)
  }
}

/** Mistakes and attacks that carry secrets to where they do not belong. */
async function useBadly(organization: Organization) {
  const own = publishable(organization)
  const post = (path: string, headers: Record<string, string>, body?: unknown) =>
    api.call(path, { method: 'POST', headers, body })
  const almost = mintKeyToken('sk_live_', randomBytes(32))
  secrets.set('unknown key', almost)
  secrets.set('mistyped key', `${organization.secret_key.slice(0, -1)}!`)
  const answers = await Promise.all([
    post('/v1/s2s/sign', secret(almost), { type: 'message', message: planted('message of a stranger') }),
    post('/v1/s2s/sign', secret(secrets.get('mistyped key') ?? '')),
    post('/v1/s2s/sign', secret(planted('bearer'))),
    post('/v1/s2s/sign', { authorization: `Basic ${planted('basic')}` }),
    post('/v1/s2s/wallets', secret(organization.read_key), { provider_user_id: planted('provider user') }),
    post('/v1/s2s/wallets', secret(organization.secret_key), {
      email: planted('no email'),
      curve: planted('curve'),
    }),
    post('/v1/s2s/wallets', secret(organization.secret_key), { [planted('field')]: planted('value') }),
    post(
      '/v1/s2s/wallets',
      secret(organization.secret_key),
      `{"provider_user_id":"${planted('broken json')}`,
    ),
    post(
      '/v1/s2s/wallets',
      { ...secret(organization.secret_key), 'idempotency-key': `${planted('bad key')} ` },
      {},
    ),
    post('/v1/wallets/auth/email-otp/verify', own, {
      email: `${planted('mail')}@x.test`,
      code: planted('code'),
    }),
    verifyLogin(api, organization, `${planted('address')}@x.test`, '123456'),
    api.call(`/v1/s2s/wallets?api_key=${planted('query')}&limit=${planted('limit')}`, {
      headers: secret(organization.secret_key),
    }),
    api.call(`/v1/s2s/wallets/${planted('path')}`, { headers: secret(organization.secret_key) }),
    api.call(`/v1/${planted('unknown route')}?token=${organization.secret_key}`),
    api.call('/v1/wallets/me', { headers: asUser(organization, `${planted('jwt')}.${planted('claims')}.x`) }),
    api.call('/v1/wallets/me', {
      headers: { ...own, ...secret('x'), cookie: planted('cookie'), 'x-any': planted('header') },
    }),
    api.call('/v1/wallets/me', {
      headers: { origin: `https://${planted('origin')}.test`, ...own, ...secret('a.b.c') },
    }),
  ])
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(answers.filter(({ status }) => status < 400)).toEqual([])
}

/** Failures inside: their errors travel with statements and parameters. */
async function breakThings(organization: Organization) {
  await platform.sql`alter table wallets rename to wallets_away`
  const failed = await api.call('/v1/s2s/wallets', {
    method: 'POST',
    headers: secret(organization.secret_key),
    body: { provider_user_id: planted('parameter of a failed statement') },
  })
  await platform.sql`alter table wallets_away rename to wallets`
  expect(failed.status).toBe(500)
  requestId = String(failed.headers['x-request-id'])
  await platform.enclave.stop()
  const down = await api.call('/v1/s2s/wallets', {
    method: 'POST',
    headers: secret(organization.secret_key),
    body: { provider_user_id: randomUUID() },
  })
  expect(down.status).toBe(503)
  await platform.enclave.start()
}

/** Every long word of the key files: keys, pepper, master secrets. The id of the enclave's ring is for everybody. */
function rememberFiles() {
  const ring = ringFileState(platform.files.enclaveKeys)
  if (ring.kind !== 'ring') throw new Error('no key ring')
  for (const [name, file] of Object.entries(platform.files)) {
    const words = readFileSync(file, 'utf8').match(/[A-Za-z0-9+/_=-]{40,}/g) ?? []
    expect(words.length, name).toBeGreaterThan(0)
    for (const [i, word] of words.entries()) if (word !== ring.id) secrets.set(`${name} ${i}`, word)
  }
  secrets.set('API key towards the enclave', platform.enclave.apiKey.d)
  secrets.set('database password', new URL(platform.databaseUrl).password)
}

const foundIn = (text: string) =>
  [...secrets].filter(([, value]) => value !== '' && text.includes(value)).map(([name]) => name)

test('no log line of any process holds a secret, whatever was sent', async () => {
  // Another request, so that every line before it has been written.
  await mintSecretKeys(platform, randomUUID(), 0)
  await api.call('/v1/health')
  const logs = platform.logs()
  expect(logs).toContain(requestId)
  expect(logs).toContain('"refused"')
  expect(logs.split('\n').length).toBeGreaterThan(20)
  expect(secrets.size).toBeGreaterThan(40)
  expect(foundIn(logs)).toEqual([])
  // The search finds what is there.
  expect(foundIn(`${logs}\n${secrets.get('token 0')}`)).toContain('token 0')
})

test('no audit event holds a secret, a message or an address', async () => {
  const rows = await platform.sql`select payload, actor_id, error_code from audit_events`
  expect(rows.length).toBeGreaterThan(10)
  expect(foundIn(JSON.stringify(rows))).toEqual([])
})
