import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Wallet } from '@symbolon/api'
import { walletAddresses } from '@symbolon/networks/testing/by-intent'
import {
  login,
  makeTenant,
  startClock,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import {
  archiveText,
  clockText,
  holdOrganization,
  makeClockMovable,
  untilWaiting,
} from '@symbolon/testing/database'
import { base64, creationBody, hex, newClientKey, rebuilt, recoverySteps } from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

const create = ({ pk, token }: User, json: unknown, process = app) =>
  process.call<Wallet>('POST', '/v1/wallets', { pk, token, json })

const providerShare = ({ pk, token }: User, query = '') =>
  app.call('POST', `/v1/wallets/me/shares/provider${query}`, { pk, token })

test.each(['secp256k1', 'ed25519'] as const)(
  'a %s wallet made in a browser looks like any other, and its owner gets the provider share back',
  async (curve) => {
    const user = await login(app, tenant)
    const key = newClientKey(curve)
    const made = await create(user, creationBody(key))
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      id: expect.any(String),
      organization_id: tenant.id,
      user_identity_id: user.id,
      curve,
      chain_type: curve === 'secp256k1' ? 'evm' : 'solana',
      account_type: 'eoa',
      address: key.address,
      addresses: walletAddresses(curve, Buffer.from(key.publicKey.slice(2), 'hex')),
      public_key: key.publicKey,
      status: 'active',
      signing_mode: 'client',
      polynomial_version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      archived_at: null,
    })
    const read = await app.call('GET', `/v1/wallets/me?curve=${curve}`, user)
    expect(read.data).toEqual(made.data)
    const { data } = await app.call('GET', `/v1/s2s/wallets/${made.data.id}`, { sk: tenant.sk })
    expect(data).toMatchObject({ id: made.data.id, identity: { email: user.email } })

    const share = await providerShare(user, `?curve=${curve}`)
    expect(share.data).toEqual({
      wallet_id: made.data.id,
      provider_share: base64(key.provider),
      share_index: 2,
    })
    const steps = recoverySteps(app, user)
    const { data: recovered } = await steps.verified({ curve })
    expect(rebuilt(recovered['provider_share'], recovered['recovery_share'])).toEqual(
      new Uint8Array(key.secret),
    )
    expect(recovered).toMatchObject({ wallet_id: made.data.id, polynomial_version: 1 })
  },
)

test('nothing of a share is in the database in plain', async () => {
  const user = await login(app, tenant)
  const key = newClientKey()
  await create(user, creationBody(key))
  const rows = await app.sql<{ envelope: Buffer }[]>`
    select provider_envelope as envelope from wallet_shares union all select envelope from recovery_shares`
  expect(rows.length).toBeGreaterThan(1)
  for (const { envelope } of rows) {
    for (const share of [key.provider, key.recovery])
      expect(envelope.includes(Buffer.from(share.subarray(0, 16)))).toBe(false)
  }
})

test('a key may come uncompressed and an address in any of its spellings; both are kept in one', async () => {
  const user = await login(app, tenant)
  const key = newClientKey()
  const uncompressed = hex(secp256k1.getPublicKey(key.secret, false))
  const json = { ...creationBody(key), public_key: uncompressed, address: key.address.toLowerCase() }
  expect((await create(user, json)).data).toMatchObject({ public_key: key.publicKey, address: key.address })
})

test('the address of another network of the curve is the wallet’s where it is asked for', async () => {
  const user = await login(app, tenant)
  const key = newClientKey()
  const { tron = '' } = walletAddresses('secp256k1', Buffer.from(key.publicKey.slice(2), 'hex'))
  const json = { ...creationBody(key), address: tron }
  expect((await create(user, json)).error?.code).toBe('address_mismatch')
  const made = await create(user, { ...json, chain_type: 'tron' })
  expect(made.data).toMatchObject({ chain_type: 'tron', address: tron })
})

const other = newClientKey()
const flipped = (address: string) =>
  `0x${[...address.slice(2)].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')}`

test.each<[string, (json: ReturnType<typeof creationBody>) => object, string]>([
  ['without its fields', () => ({ curve: 'secp256k1' }), 'invalid_request'],
  ['with one field missing', ({ recovery_share, ...rest }) => rest, 'invalid_request'],
  [
    'with a point off the curve',
    (json) => ({ ...json, public_key: `0x02${'ff'.repeat(32)}` }),
    'invalid_request',
  ],
  ['with a key of the other curve', (json) => ({ ...json, curve: 'ed25519' }), 'invalid_request'],
  ['with a network of the other curve', (json) => ({ ...json, chain_type: 'near' }), 'invalid_request'],
  ['with index 0', (json) => ({ ...json, provider_share_index: 0 }), 'invalid_request'],
  ['with the address of another key', (json) => ({ ...json, address: other.address }), 'address_mismatch'],
  ['with a wrong checksum', (json) => ({ ...json, address: flipped(json.address) }), 'address_mismatch'],
  ['with another index than the share’s', (json) => ({ ...json, provider_share_index: 9 }), 'invalid_share'],
  [
    'with a share of 32 bytes',
    (json) => ({ ...json, recovery_share: base64(new Uint8Array(32).fill(3)) }),
    'invalid_share',
  ],
  [
    'with a share of 34 bytes',
    (json) => ({ ...json, recovery_share: base64(new Uint8Array(34).fill(3)) }),
    'invalid_share',
  ],
  [
    'with x = 0',
    (json) => ({ ...json, recovery_share: base64(Uint8Array.from([...other.recovery.subarray(0, 32), 0])) }),
    'invalid_share',
  ],
  [
    'with one index twice',
    (json) => ({
      ...json,
      recovery_share: json.provider_share,
      recovery_share_index: json.provider_share_index,
    }),
    'invalid_share',
  ],
])('a wallet %s is refused, and none is made', async (_, change, code) => {
  const user = await login(app, tenant)
  const { status, error } = await create(user, change(creationBody(newClientKey())))
  expect([status, error?.code]).toEqual([400, code])
  if (code === 'invalid_request') expect(error?.details).toHaveProperty('issues')
  expect((await app.call('GET', '/v1/wallets/me/all', user)).data).toEqual([])
})

test('a curve that is not enabled is refused, and so is a backend that would make the wallet', async () => {
  const evmOnly = await makeTenant(app, { signingMode: 'client', supportedNetworks: ['evm'] })
  const user = await login(app, evmOnly)
  expect((await create(user, creationBody(newClientKey('ed25519')))).error?.code).toBe('invalid_curve')
  expect((await providerShare(user, '?curve=ed25519')).error?.code).toBe('invalid_curve')
  const json = { email: user.email }
  const made = await app.call('POST', '/v1/s2s/wallets', { sk: tenant.sk, json })
  expect(made.error?.code).toBe('signing_mode_mismatch')
})

test('of many creations at once one makes the wallet, and its very shares are the ones kept', async () => {
  const user = await login(app, tenant)
  const keys = Array.from({ length: 8 }, () => newClientKey())
  const answers = await Promise.all(
    keys.map((key, i) => create(user, creationBody(key), i % 2 === 0 ? app : second)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  const winner = keys[answers.findIndex(({ status }) => status === 201)]
  for (const { status, data, error } of answers) {
    expect(data.public_key).toBe(winner?.publicKey)
    if (status === 409) expect(error?.code).toBe('wallet_exists')
  }
  const { data } = await recoverySteps(app, user).verified()
  expect(rebuilt(data['provider_share'], data['recovery_share'])).toEqual(
    new Uint8Array(winner?.secret ?? []),
  )
  const events =
    await app.sql`select payload from audit_events where user_identity_id = ${user.id} and type = 0`
  expect(events.map(({ payload }) => payload)).toEqual([
    { curve: 'secp256k1', chain_type: 'evm', signing_mode: 'client' },
  ])
})

test('the provider share leaves three times at once, each time in the log, never for an archived wallet or a dead login', async () => {
  const user = await login(app, tenant)
  expect((await providerShare(user)).error?.code).toBe('wallet_not_found')
  const { data: wallet } = await create(user, creationBody(newClientKey()))
  await app.sql`delete from rate_limits`
  const statuses = [await providerShare(user), await providerShare(user), await providerShare(user)]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200])
  const limited = await providerShare(user)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5'])
  await app.sql`delete from rate_limits`
  const sk = tenant.sk
  await app.call('POST', `/v1/s2s/wallets/${wallet.id}/archive`, { sk })
  expect((await providerShare(user)).error?.code).toBe('wallet_archived')
  await app.call('POST', `/v1/s2s/wallets/${wallet.id}/unarchive`, { sk })
  await app.call('POST', '/v1/wallets/me/logout', { pk: user.pk, token: user.token })
  expect((await providerShare(user)).error?.code).toBe('token_revoked')
  const events = await app.sql`
    select success, error_code from audit_events where wallet_id = ${wallet.id} and type = 19 order by n`
  expect(events.map((row) => `${row['success']} ${row['error_code']}`)).toEqual([
    'true ',
    'true ',
    'true ',
    'false wallet_archived',
  ])
})

test.each([
  ['a wallet that is archived', 'wallet_archived', (id: string) => archiveText(tenant.id, id)],
  ['a login that ends', 'token_expired', () => clockText(2)],
])('%s while the share is on its way keeps it in', async (_, code, change) => {
  const user = await login(app, tenant)
  const { data: wallet } = await create(user, creationBody(newClientKey()))
  await makeClockMovable(app)
  // The commit of the event waits for the organization's lock: everything before it is done by then.
  const release = await holdOrganization(app, tenant.id)
  const answer = providerShare(user)
  await untilWaiting(app)
  await release(change(wallet.id))
  try {
    expect((await answer).error?.code).toBe(code)
  } finally {
    await startClock(app)
  }
})

test('nothing of client mode works in a TEE organization', async () => {
  const tee = await makeTenant(app)
  const user = await login(app, tee)
  const steps = recoverySteps(app, user)
  const id = '00000000-0000-7000-8000-000000000000'
  const answers = [
    await providerShare(user),
    await steps.initiate(),
    await steps.verify(id, '123456'),
    await steps.complete(id, newClientKey()),
    await steps.read(id),
  ]
  expect(answers.map(({ error }) => error?.code)).toEqual(Array(5).fill('signing_mode_mismatch'))
  expect((await create(user, creationBody(newClientKey()))).error?.code).toBe('invalid_request')
})
