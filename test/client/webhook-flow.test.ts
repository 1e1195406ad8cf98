import type { ServerResponse } from 'node:http'
import { orThrow, setWebhook } from '@symbolon/server/testing/webhooks'
import {
  forgetRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import {
  answerPlainly,
  answerShare,
  isSignedBy,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@symbolon/testing/http'
import {
  base64,
  creationBody,
  makeClientWallet,
  newClientKey,
  outcome,
  rebuilt,
  recoverySteps,
  split,
} from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let receiver: WebhookReceiver
let tenant: Tenant
let secret: string
const actor = { type: 'system', id: 'test' } as const

beforeAll(async () => {
  ;[app, receiver] = await Promise.all([startTestApp(), startWebhookReceiver()])
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app, { signingMode: 'client' })
  const { signingSecret = '' } = orThrow(
    await setWebhook(app.app.webhooks, tenant.id, { url: receiver.url }, actor),
  )
  secret = signingSecret
  await setMode('customer_managed')
})
afterAll(async () => {
  await second?.stop()
  await app?.stop()
  await receiver?.close()
})
afterEach(async () => {
  receiver.behave(undefined)
  receiver.calls.length = 0
  await setMode('customer_managed')
  await forgetRates(app)
})

const setMode = (mode: 'service_managed' | 'customer_managed') =>
  app.app.orgs.setRecoveryMode(tenant.id, mode, actor)
const failsWith = (status: number) => receiver.behave((_call, response) => answerPlainly(response, status))

async function owner() {
  const user = await login(app, tenant)
  const { key, wallet } = await makeClientWallet(app, user)
  return { user, key, wallet, steps: recoverySteps(app, user) }
}

/** What provider share in force and receiver rebuild together: what a user who lost the device would get. */
async function keyInForce(user: User, walletId: string): Promise<{ key: Uint8Array; version: number }> {
  const [row] = await app.sql`select polynomial_version from wallets where id = ${walletId}`
  const version = Number(row?.['polynomial_version'])
  const { data } = await app.call('POST', '/v1/wallets/me/shares/provider', user)
  await forgetRates(app)
  return { key: rebuilt(data['provider_share'], receiver.shares.get(`${walletId}/${version}`)), version }
}

async function newsOf(walletId: string) {
  const end = performance.now() + 10_000
  for (;;) {
    const news = receiver
      .callsOf('recovery_share.rotated')
      .filter(({ data }) => data['wallet_id'] === walletId)
    if (news.length > 0 || performance.now() > end) return news
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('the receiver keeps the recovery share from creation over recovery to the next version, and we never do', async () => {
  const { user, key, wallet, steps } = await owner()
  expect(receiver.calls).toMatchObject([
    {
      type: 'recovery_share.store',
      data: {
        organization_id: tenant.id,
        user_identity_id: user.id,
        wallet_id: wallet.id,
        curve: 'secp256k1',
        share_index: 3,
        polynomial_version: 1,
        recovery_share: base64(key.recovery),
      },
    },
  ])

  const { id, data } = await steps.verified()
  expect(data).toMatchObject({ recovery_share: base64(key.recovery), polynomial_version: 1 })
  const fresh = split(rebuilt(data['provider_share'], data['recovery_share']), [4, 5, 6])
  expect((await steps.complete(id, fresh)).status).toBe(204)
  expect(await keyInForce(user, wallet.id)).toEqual({ key: new Uint8Array(key.secret), version: 2 })

  const news = await newsOf(wallet.id)
  expect(news).toHaveLength(1)
  expect(news[0]?.data).toEqual({
    organization_id: tenant.id,
    user_identity_id: user.id,
    wallet_id: wallet.id,
    curve: 'secp256k1',
    share_index: 6,
    polynomial_version: 2,
  })
  expect(receiver.calls.map(({ type }) => type)).toEqual([
    'recovery_share.store',
    'recovery_share.fetch',
    'recovery_share.store',
    'recovery_share.rotated',
  ])
  for (const call of receiver.calls) expect(isSignedBy(secret, call)).toBe(true)
  expect(await app.sql`select 1 from recovery_shares where wallet_id = ${wallet.id}`).toHaveLength(0)
})

test('no wallet is made whose recovery share the receiver did not take; the same creation passes afterwards', async () => {
  const user = await login(app, tenant)
  const key = newClientKey()
  const create = () => app.call('POST', '/v1/wallets', { ...user, json: creationBody(key) })
  for (const status of [301, 400, 500]) {
    failsWith(status)
    expect(outcome(await create())).toBe('502 recovery_webhook_failed')
  }
  receiver.behave((_call, response) => {
    response.destroy()
    return true
  })
  expect(outcome(await create())).toBe('502 recovery_webhook_failed')
  expect(outcome(await app.call('GET', '/v1/wallets/me', user))).toBe('404 wallet_not_found')
  expect(await app.sql`select 1 from wallets where user_identity_id = ${user.id}`).toHaveLength(0)
  receiver.behave(undefined)
  const made = await create()
  expect(made.status).toBe(201)
  expect(await keyInForce(user, String(made.data['id']))).toEqual({
    key: new Uint8Array(key.secret),
    version: 1,
  })
})

test('of creations at once, at two processes, one wins, and its own share is at the receiver', async () => {
  const user = await login(app, tenant)
  const keys = Array.from({ length: 6 }, () => newClientKey())
  receiver.behave((_call, response) => {
    setTimeout(() => response.writeHead(204).end(), 20)
    const { data } = _call
    receiver.shares.set(`${data['wallet_id']}/${data['polynomial_version']}`, String(data['recovery_share']))
    return true
  })
  const made = await Promise.all(
    keys.map((key, i) =>
      (i % 2 ? app : second).call('POST', '/v1/wallets', { ...user, json: creationBody(key) }),
    ),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(made.filter(({ status }) => status === 409)).toHaveLength(5)
  const winner = made.findIndex(({ status }) => status === 201)
  receiver.behave(undefined)
  expect((await keyInForce(user, String(made[winner]?.data['id']))).key).toEqual(
    new Uint8Array(keys[winner]?.secret ?? []),
  )
})

test('while the receiver lies or fails, the right code and the process stay usable', async () => {
  const { key, steps } = await owner()
  const { id, code: mailed } = await steps.start()
  const own = base64(key.recovery)
  const other = base64(newClientKey('secp256k1', [1, 2, 4]).recovery)
  const lies: Parameters<WebhookReceiver['behave']>[0][] = [
    (_call, response) => answerPlainly(response, 500),
    (_call, response) => answerPlainly(response, 200, '{}'),
    (_call, response) => {
      answerShare(response, own, 2)
      return true
    },
    (_call, response) => {
      answerShare(response, other, 1)
      return true
    },
    (_call, response) => {
      answerShare(response, own.slice(4), 1)
      return true
    },
  ]
  for (const lie of lies) {
    receiver.behave(lie)
    expect(outcome(await steps.verify(id, mailed))).toBe('502 recovery_webhook_failed')
    expect((await steps.read(id)).data['state']).toBe('open')
    await forgetRates(app)
  }
  receiver.behave(undefined)
  const { status, data } = await steps.verify(id, mailed)
  expect([status, data['recovery_share']]).toEqual([200, own])
})

test('a completion that the receiver refuses changes nothing and can be repeated, with these shares or with others', async () => {
  const { user, key, wallet, steps } = await owner()
  const { id } = await steps.verified()
  const before = await keyInForce(user, wallet.id)
  for (const status of [400, 503]) {
    failsWith(status)
    expect(outcome(await steps.complete(id, split(key.secret, [4, 5, 6])))).toBe(
      '502 recovery_webhook_failed',
    )
    expect(await keyInForce(user, wallet.id)).toEqual(before)
    expect((await steps.read(id)).data['state']).toBe('verified')
  }
  receiver.behave(undefined)
  expect((await steps.complete(id, split(key.secret, [7, 8, 9]))).status).toBe(204)
  const after = await keyInForce(user, wallet.id)
  expect(after.key).toEqual(before.key)
  expect(after.version).toBeGreaterThan(1)
  expect(receiver.callsOf('recovery_share.store').at(-1)?.data['polynomial_version']).toBe(after.version)
})

test('a share that arrives after its call was given up replaces none that is in force', async () => {
  const { user, key, wallet, steps } = await owner()
  const { id } = await steps.verified()
  const late: (() => void)[] = []
  const giveUp = (end: (response: ServerResponse) => void) =>
    receiver.behave((call, response) => {
      const { wallet_id: walletId, polynomial_version: version, recovery_share: share } = call.data
      late.push(() => receiver.shares.set(`${walletId}/${version}`, String(share)))
      end(response)
      return true
    })
  giveUp((response) => response.destroy())
  expect(outcome(await steps.complete(id, split(key.secret, [4, 5, 6])))).toBe('502 recovery_webhook_failed')
  // A gateway that lost its patience with the receiver behind it.
  giveUp((response) => answerPlainly(response, 504))
  expect(outcome(await steps.complete(id, split(key.secret, [7, 8, 9])))).toBe('502 recovery_webhook_failed')
  receiver.behave(undefined)
  expect((await steps.complete(id, split(key.secret, [10, 11, 12]))).status).toBe(204)
  expect(late).toHaveLength(2)
  for (const arrive of late) arrive()
  expect((await keyInForce(user, wallet.id)).key).toEqual(new Uint8Array(key.secret))
})

test('of completions at once, at two processes, the pair in force is one winner’s', async () => {
  const { user, key, wallet, steps } = await owner()
  const { id } = await steps.verified()
  const other = recoverySteps({ ...app, call: second.call }, user)
  let delayMs = 60
  receiver.behave((call, response) => {
    if (call.type !== 'recovery_share.store') return undefined
    const { wallet_id: walletId, polynomial_version: version, recovery_share: share } = call.data
    // The first is the slowest: without a lease it would be the last to be kept.
    setTimeout(() => {
      receiver.shares.set(`${walletId}/${version}`, String(share))
      response.writeHead(204).end()
    }, delayMs)
    delayMs -= 15
    return true
  })
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, i) =>
      (i % 2 ? steps : other).complete(id, split(key.secret, [20 + i, 30 + i, 40 + i])),
    ),
  )
  expect(answers.map(outcome).sort()).toEqual([
    '204',
    '409 process_state',
    '409 process_state',
    '409 process_state',
  ])
  const winner = answers.findIndex(({ status }) => status === 204)
  expect(await keyInForce(user, wallet.id)).toEqual({ key: new Uint8Array(key.secret), version: 2 })
  const share = Buffer.from(receiver.shares.get(`${wallet.id}/2`) ?? '', 'base64')
  expect(share.at(-1)).toBe(40 + winner)
})

test('after a change of the mode shares are read where they are and written where they belong', async () => {
  await setMode('service_managed')
  const { key, wallet, steps } = await owner()
  await setMode('customer_managed')
  const first = await steps.verified()
  expect(first.data['recovery_share']).toBe(base64(key.recovery))
  expect(receiver.calls).toHaveLength(0)
  expect((await steps.complete(first.id, split(key.secret, [4, 5, 6]))).status).toBe(204)
  expect(receiver.shares.has(`${wallet.id}/2`)).toBe(true)
  const left =
    await app.sql`select 1 from recovery_shares where wallet_id = ${wallet.id} and envelope is not null`
  expect(left).toHaveLength(0)

  await setMode('service_managed')
  const next = await steps.verified()
  expect(next.data['recovery_share']).toBe(receiver.shares.get(`${wallet.id}/2`))
  expect((await steps.complete(next.id, split(key.secret, [7, 8, 9]))).status).toBe(204)
  expect(receiver.shares.has(`${wallet.id}/3`)).toBe(false)
  // The receiver learns that it may delete its share.
  expect((await newsOf(wallet.id)).length).toBeGreaterThan(0)
  const last = await steps.verified()
  expect(rebuilt(last.data['provider_share'], last.data['recovery_share'])).toEqual(
    new Uint8Array(key.secret),
  )
})
