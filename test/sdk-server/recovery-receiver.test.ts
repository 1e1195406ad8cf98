import { generateKeyPairSync } from 'node:crypto'
import { parseShare, rebuildKey } from '@symbolon/rescue/testing'
import { platformKeys, recoveryShareFile } from '@symbolon/sdk/server'
import { orThrow, pingWebhook, rotateSecret, setWebhook } from '@symbolon/server/testing/webhooks'
import { forgetRates, login } from '@symbolon/testing/app'
import { until } from '@symbolon/testing/wait'
import {
  base64,
  creationBody,
  makeClientWallet,
  newClientKey,
  rebuilt,
  recoverySteps,
  split,
} from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { actor, makeReceiverFixture, type ReceiverFixture } from './receiver-fixture.ts'

let fixture: ReceiverFixture

beforeAll(async () => {
  fixture = await makeReceiverFixture()
})
afterAll(() => fixture.stop())
afterEach(async () => {
  fixture.calls.length = 0
  expect(fixture.errors.splice(0)).toEqual([])
  await forgetRates(fixture.app)
})

async function owner() {
  const user = await login(fixture.app, fixture.tenant)
  const { key, wallet } = await makeClientWallet(fixture.app, user)
  return { user, key, wallet, steps: recoverySteps(fixture.app, user) }
}

const lastOf = (type: string) => {
  const call = fixture.calls.findLast((seen) => seen.type === type)
  if (call === undefined) throw new Error(`No ${type} came.`)
  return call
}

const versionsOf = async (walletId: string) => {
  const rows = await fixture.app.sql`
    select polynomial_version, share from symbolon_recovery_shares where wallet_id = ${walletId} order by 1`
  return rows.map((row) => `${row['polynomial_version']} ${row['share'] === null ? 'empty' : 'full'}`)
}

/** Recovers onto a new polynomial and waits until the old share is gone. */
async function recover({ steps, wallet, key }: Awaited<ReturnType<typeof owner>>): Promise<void> {
  const { id, data } = await steps.verified()
  const secret = rebuilt(data['provider_share'], data['recovery_share'])
  expect(secret).toEqual(new Uint8Array(key.secret))
  expect((await steps.complete(id, split(secret, [4, 5, 6]))).status).toBe(204)
  await until(async () => (await versionsOf(wallet.id)).includes('1 empty'))
  expect(await versionsOf(wallet.id)).toEqual(['1 empty', '2 full'])
}

test('a wallet is created, recovered and rotated with shares in the open', async () => {
  await recover(await owner())
  const types = fixture.calls.map(({ type, status }) => `${type} ${status}`)
  expect(types).toEqual([
    'recovery_share.store 204',
    'recovery_share.fetch 200',
    'recovery_share.store 204',
    'recovery_share.rotated 204',
  ])
})

test('a ping is answered', async () => {
  expect(orThrow(await pingWebhook(fixture.app.app.webhooks, fixture.tenant.id))).toEqual({
    delivered: true,
    status: 204,
    error: null,
  })
})

test('sealed shares are kept sealed, and given back with the old key and the new one', async () => {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [first, second] = [pair(), pair()]
  const use = async (key: typeof first) => {
    const input = { url: fixture.url, encryptionKey: { ...key.publicKey.export({ format: 'jwk' }) } }
    orThrow(await setWebhook(fixture.app.app.webhooks, fixture.tenant.id, input, actor))
  }
  await use(first)
  fixture.serve({ decryptionKey: first.privateKey.export({ format: 'jwk' }) })
  const early = await owner()
  expect(lastOf('recovery_share.store').body).toContain('sealed_share')
  const [row] = await fixture.app
    .sql`select share from symbolon_recovery_shares where wallet_id = ${early.wallet.id}`
  expect(row?.['share']).toContain('ciphertext')
  expect(row?.['share']).not.toContain(base64(early.key.recovery).slice(0, 20))

  await use(second)
  const user = await login(fixture.app, fixture.tenant)
  const key = newClientKey()
  const create = () => fixture.app.call('POST', '/v1/wallets', { ...user, json: creationBody(key) })
  // Nobody could ever open it: better no wallet.
  expect((await create()).error?.code).toBe('recovery_webhook_failed')
  expect(lastOf('recovery_share.store').status).toBe(422)
  fixture.serve({
    decryptionKey: [second, first].map(({ privateKey }) => privateKey.export({ format: 'jwk' })),
  })
  expect((await create()).status).toBe(201)
  await recover(early)

  orThrow(await setWebhook(fixture.app.app.webhooks, fixture.tenant.id, { url: fixture.url }, actor))
  await recover(await owner())
})

test('while the signing secret is replaced, receivers with the old one, the new one and both are served', async () => {
  const signingSecret = orThrow(await rotateSecret(fixture.app.app.webhooks, fixture.tenant.id, actor))
  await owner()
  fixture.serve({ secrets: signingSecret })
  await owner()
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  fixture.serve({ secrets: [other, signingSecret] })
  await recover(await owner())
  fixture.serve({ secrets: other })
  expect(orThrow(await pingWebhook(fixture.app.app.webhooks, fixture.tenant.id)).status).toBe(401)
  fixture.serve({ secrets: other, keys: platformKeys({ baseUrl: fixture.app.url }) })
  await owner()
  fixture.serve({ secrets: signingSecret })
})

test('a captured call that is sent again gets no share, and brings back none that was rotated away', async () => {
  const made = await owner()
  const store = lastOf('recovery_share.store')
  expect((await fixture.send(store)).status).toBe(204)
  await recover(made)
  const fetched = lastOf('recovery_share.fetch')
  const answers = await Promise.all(Array.from({ length: 4 }, () => fixture.send(fetched)))
  for (const answer of answers) {
    expect(answer.status).toBe(409)
    expect(await answer.text()).not.toContain('recovery_share')
  }
  expect((await fixture.send(store)).status).toBe(409)
  expect((await fixture.send(lastOf('recovery_share.rotated'))).status).toBe(204)
  expect(await versionsOf(made.wallet.id)).toEqual(['1 empty', '2 full'])
})

test('of one call sent many times at once, one is answered with the share', async () => {
  const { steps } = await owner()
  await steps.verified()
  const { headers, body } = lastOf('recovery_share.fetch')
  await fixture.app.sql`delete from symbolon_recovery_calls`
  const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.send({ headers, body })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
})

test('a call that is changed, old, unsigned or of another organization is refused', async () => {
  await owner()
  const { headers, body } = lastOf('recovery_share.store')
  const changed = [
    { headers, body: body.replace('secp256k1', 'ed25519') },
    { headers: { ...headers, 'webhook-id': 'msg_other' }, body },
    { headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, body },
    { headers: { ...headers, 'webhook-signature': 'v1,AAAA v1a,AAAA v2,AAAA' }, body },
    { headers: {}, body },
  ]
  for (const call of changed) expect((await fixture.send(call)).status).toBe(401)
  const sentAtMs = Number(headers['webhook-timestamp']) * 1000
  for (const aside of [-301_000, 301_000]) {
    fixture.serve({ nowMs: () => sentAtMs + aside })
    expect((await fixture.send({ headers, body })).status).toBe(401)
  }
  fixture.serve({ nowMs: () => Date.now() })
  fixture.serve({ organizationId: '01997b3c-7a52-7c07-b6e6-28c6f5dd2a01' })
  expect((await fixture.send({ headers, body })).status).toBe(403)
  fixture.serve({ organizationId: fixture.tenant.id })
  expect((await fetch(fixture.url)).status).toBe(405)
  expect((await fetch(fixture.url, { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413)
  expect((await fixture.send({ headers, body })).status).toBe(204)
})

test('another share for a version that has one is refused, the same one is taken again, and the first one stays', async () => {
  const { wallet, key, steps } = await owner()
  const sent = JSON.parse(lastOf('recovery_share.store').body)
  const other = newClientKey('secp256k1', [1, 2, 3]).recovery
  const store = (changes: object) =>
    fixture.send(fixture.signed({ ...sent, data: { ...sent.data, ...changes } })).then(({ status }) => status)
  expect(await store({})).toBe(204)
  expect(await store({ recovery_share: base64(other) })).toBe(409)
  expect(await store({ user_identity_id: wallet.id })).toBe(409)
  expect(await store({ curve: 'ed25519' })).toBe(409)
  const { data } = await steps.verified()
  expect(data['recovery_share']).toBe(base64(key.recovery))
})

test('anything but a message of the platform is refused, even when it is signed', async () => {
  await owner()
  const sent = JSON.parse(lastOf('recovery_share.store').body)
  const share = base64(newClientKey('secp256k1', [1, 2, 3]).recovery)
  const data = { ...sent.data, polynomial_version: 7, recovery_share: share }
  const statusOf = (message: unknown) => fixture.send(fixture.signed(message)).then(({ status }) => status)
  const bad = [
    { share_index: 4 },
    { share_index: 0 },
    { share_index: 256 },
    { share_index: '3' },
    { polynomial_version: 0 },
    { polynomial_version: 1.5 },
    { polynomial_version: 2 ** 31 },
    { wallet_id: '../x' },
    { wallet_id: undefined },
    { curve: 'p256' },
    { recovery_share: share.slice(4) },
    { recovery_share: undefined },
    { recovery_share: 7 },
    { sealed_share: { enc: 'AAAA', ciphertext: 'AAAA' } },
    { recovery_share: undefined, sealed_share: { enc: 'AAAA', ciphertext: 'AAAA' } },
    { recovery_share: undefined, sealed_share: { enc: 'not base64', ciphertext: 'AAAA' } },
  ]
  for (const changes of bad) {
    const status = await statusOf({ ...sent, data: { ...data, ...changes } })
    expect([400, 422], JSON.stringify(changes)).toContain(status)
  }
  for (const message of [null, [], {}, 'x', { ...sent, type: 'other', data }, { ...sent, data: [] }])
    expect([400, 403], JSON.stringify(message)).toContain(await statusOf(message))
  expect(
    await fixture.app.sql`select 1 from symbolon_recovery_shares where polynomial_version = 7`,
  ).toHaveLength(0)
  for (const type of ['recovery_share.fetch', 'recovery_share.rotated'])
    expect(await statusOf({ ...sent, type, data })).toBe(type === 'recovery_share.fetch' ? 404 : 409)
  expect(await statusOf({ ...sent, data })).toBe(204)
})

test('the last share is never emptied for a version that is not there', async () => {
  const { wallet } = await owner()
  expect(await fixture.store.emptyOlder(wallet.id, 2)).toBe(false)
  expect(await versionsOf(wallet.id)).toEqual(['1 full'])
  expect(await fixture.store.emptyOlder(wallet.id, 1)).toBe(true)
  expect(await versionsOf(wallet.id)).toEqual(['1 full'])
})

test('of different shares stored at once for one version, one stays and every caller learns which', async () => {
  const { wallet, user } = await owner()
  const offers = Array.from({ length: 12 }, () => base64(newClientKey().recovery))
  const kept = await Promise.all(
    offers.map((recoveryShare) =>
      fixture.store.put({
        organizationId: fixture.tenant.id,
        userIdentityId: user.id,
        walletId: wallet.id,
        curve: 'secp256k1',
        shareIndex: 3,
        polynomialVersion: 9,
        share: { recoveryShare },
      }),
    ),
  )
  expect(new Set(kept.map(({ share }) => JSON.stringify(share))).size).toBe(1)
})

test('a failing store reaches the operator, is answered 500 without a reason, and creates nothing', async () => {
  const user = await login(fixture.app, fixture.tenant)
  const error = new Error('the disk is full')
  fixture.serve({ store: { ...fixture.store, put: () => Promise.reject(error) } })
  const made = await fixture.app.call('POST', '/v1/wallets', { ...user, json: creationBody(newClientKey()) })
  expect(made.error?.code).toBe('recovery_webhook_failed')
  expect(lastOf('recovery_share.store')).toMatchObject({ status: 500, answer: '{"error":"internal"}' })
  expect(fixture.errors.splice(0)).toEqual([error])
  fixture.serve({ store: fixture.store })
})

test('the receiver’s share, sealed or not, and the provider share rescue the wallet without the platform', async () => {
  const { user, wallet, key } = await owner()
  const { data } = await fixture.app.call('POST', '/v1/wallets/me/shares/provider', user)
  const stored = await fixture.store.get(wallet.id, 1)
  if (stored === undefined) throw new Error('Nothing is stored.')
  const file = await recoveryShareFile(stored)
  const rescued = rebuildKey(parseShare(file), parseShare(String(data['provider_share'])), {
    address: wallet.addresses['tron'] ?? '',
  })
  expect(rescued).toMatchObject({ key: new Uint8Array(key.secret), checkedBy: 'address' })
  await expect(recoveryShareFile({ ...stored, share: null })).rejects.toThrow('rotated away')
})
