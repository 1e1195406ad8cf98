import { randomUUID } from 'node:crypto'
import {
  type Answer,
  callAs,
  login,
  makeTenant,
  mintSecretKey,
  newCompany,
  portalUser,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant
let user: User
let nowMs = Date.now()

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app)
  await stopClock(app, nowMs)
  user = await login(app, tenant)
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

async function pass(ms: number) {
  nowMs += ms
  await stopClock(app, nowMs)
}

const rate = ({ status, headers }: Answer) => ({
  status,
  limit: headers.get('ratelimit-limit'),
  remaining: headers.get('ratelimit-remaining'),
  reset: headers.get('ratelimit-reset'),
  retry: headers.get('retry-after'),
})

test('a user signs three times at once, then once per five seconds, whichever process answers', async () => {
  const sign = (process: TestApp, token = user.token) =>
    process.call('POST', '/v1/wallets/me/sign', {
      pk: user.pk,
      token,
      json: { type: 'message', message: 'hi' },
    })
  // Without a wallet every call is a 404, and counts.
  const first = [await sign(app), await sign(second), await sign(app)].map(rate)
  expect(first.map(({ status, remaining, reset }) => [status, remaining, reset])).toEqual([
    [404, '2', '5'],
    [404, '1', '10'],
    [404, '0', '15'],
  ])
  expect(rate(await sign(second))).toEqual({
    status: 429,
    limit: '3',
    remaining: '0',
    reset: '15',
    retry: '5',
  })

  await pass(4_999)
  expect(rate(await sign(app))).toMatchObject({ status: 429, retry: '1' })
  await pass(1)
  expect((await sign(second)).status).toBe(404)
  expect((await sign(app)).status).toBe(429)

  // The bucket is the user's, not the token's.
  const again = await login(app, tenant, user.email)
  expect((await sign(app, again.token)).status).toBe(429)
  const other = await login(app, tenant)
  expect((await sign(app, other.token)).status).toBe(404)

  await pass(3_600_000 - 6_000)
  const burst = await Promise.all(
    Array.from({ length: 9 }, (_, i) => sign(i % 2 === 0 ? app : second, again.token)),
  )
  expect(burst.filter(({ status }) => status === 404)).toHaveLength(3)
})

test('a body above 16 KiB costs a unit more per begun 16 KiB, never more than the burst, its length declared or not', async () => {
  const { key: sk } = await mintSecretKey(app, tenant)
  const kib = 1024
  const send = async (bytes: number, options: { isDeclared?: boolean; as?: User } = {}) => {
    const text = JSON.stringify({ type: 'message', wallet_id: randomUUID(), message: '' })
    const body = text.padEnd(bytes, ' ')
    const { isDeclared = true, as: sender } = options
    const headers = sender
      ? { 'x-service-publishable-key': sender.pk, authorization: `Bearer ${sender.token}` }
      : { authorization: `Bearer ${sk}` }
    const { status, headers: answered } = await fetch(
      `${app.url}${sender ? '/v1/wallets/me/sign' : '/v1/s2s/sign'}`,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        // A stream has no length that could be declared.
        ...(isDeclared ? { body } : { body: new Blob([body]).stream(), duplex: 'half' }),
      },
    )
    return [status, Number(answered.get('ratelimit-remaining')), answered.get('retry-after')]
  }
  expect(await send(16 * kib)).toEqual([404, 59, null])
  expect(await send(16 * kib + 1)).toEqual([404, 57, null])
  expect(await send(64 * kib)).toEqual([404, 53, null])
  expect(await send(64 * kib, { isDeclared: false })).toEqual([404, 49, null])
  // A refused body costs what it would have cost; one that is too long is not read.
  expect(await send(256 * kib)).toEqual([413, 33, null])
  expect(await send(256 * kib + 1)).toEqual([413, 32, null])
  expect(await send(256 * kib)).toEqual([413, 16, null])
  expect(await send(256 * kib)).toEqual([413, 0, null])
  expect(await send(64 * kib)).toEqual([429, 0, '1'])

  const sender = await login(app, tenant)
  expect(await send(64 * kib, { as: sender })).toEqual([400, 0, null])
  expect(await send(1, { as: sender })).toEqual([429, 0, '5'])
  await pass(10_000)
  expect(await send(64 * kib, { as: sender })).toEqual([429, 2, '5'])
  await pass(5_000)
  expect(await send(64 * kib, { as: sender, isDeclared: false })).toEqual([400, 0, null])
})

test('a secret key calls sixty times at once, then thirty times per second, over all routes and processes', async () => {
  const paths = ['/v1/s2s/wallets', '/v1/s2s/wallets?limit=1', '/v1/chains']
  const { key: sk } = await mintSecretKey(app, tenant)
  const burst = async (count: number) => {
    const calls = Array.from({ length: count }, (_, i) =>
      (i % 2 === 0 ? app : second).call('GET', paths[i % paths.length] ?? '', { sk }),
    )
    const answers = await Promise.all(calls)
    return {
      granted: answers.filter(({ status }) => status === 200).length,
      refused: answers.filter(({ status }) => status === 429),
    }
  }
  const first = await burst(100)
  expect(first.granted).toBe(60)
  for (const answer of first.refused)
    expect(rate(answer)).toMatchObject({ limit: '60', remaining: '0', retry: '1' })

  await pass(1_000)
  expect((await burst(50)).granted).toBe(30)
  await pass(34)
  expect((await burst(10)).granted).toBe(1)
  // Another key of the organization has a bucket of its own.
  expect((await app.call('GET', paths[0] ?? '', { sk: tenant.sk })).status).toBe(200)
})

test('five codes per email, then longer and longer pauses, and the answer says when the next one is due', async () => {
  const { pk } = tenant
  const start = (email: string, key = pk) =>
    app.call('POST', '/v1/wallets/auth/email-otp/start', { pk: key, json: { email } })
  const email = 'rolling@example.test'
  for (const remaining of ['4', '3', '2', '1', '0']) {
    expect(rate(await start(email))).toMatchObject({ status: 204, limit: '5', remaining })
    await pass(60_000)
  }
  // Another spelling of the same address is the same address.
  expect(rate(await start(' ROLLING@Example.test '))).toMatchObject({ status: 429, retry: '840' })
  expect((await start('other@example.test')).status).toBe(204)
  const elsewhere = await makeTenant(app)
  expect((await start(email, elsewhere.pk)).status).toBe(204)

  await pass(839_999)
  expect((await start(email)).status).toBe(429)
  await pass(1)
  expect((await start(email)).status).toBe(204)
  expect(rate(await start(email))).toMatchObject({ status: 429, retry: '1800' })
})

test('of many requests for a code at once exactly five are answered', async () => {
  const { pk } = tenant
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? app : second).call('POST', '/v1/wallets/auth/email-otp/start', {
        pk,
        json: { email: 'race@example.test' },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
})

/** How many of calls at once to both processes pass, in a moment that does not end. */
async function passing(count: number, call: (process: TestApp) => Promise<Answer>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => call(i % 2 === 0 ? app : second)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
  return count - refused.length
}

test('a person changes a company 300 times at once, over all companies and sessions, and nobody else waits', async () => {
  const person = await portalUser(app)
  const again = await portalUser(app, person.email)
  const [one, another] = [await newCompany(app, person), await newCompany(app, person)]
  const paths = [
    `${one.id}/agents/${randomUUID()}/runs`,
    `${another.id}/agents/${randomUUID()}/hooks`,
    `${one.id}/webhook/test`,
    `${another.id}/rules`,
  ]
  let next = 0
  const call = (process: TestApp, as = next % 3 === 0 ? again : person) => {
    next += 1
    const path = paths[next % paths.length] ?? ''
    return callAs(process, as, [path.endsWith('rules') ? 'PUT' : 'POST', `/v1/orgs/${path}`, { unknown: 1 }])
  }
  expect(await passing(320, call)).toBe(300)
  const stranger = await portalUser(app)
  expect((await call(app, stranger)).status).toBe(404)
  await pass(1_000)
  expect(await passing(10, call)).toBe(5)
})

test('a user asks for 300 transactions at once, then ten a second, whichever process answers', async () => {
  const [one, other] = [await login(app, tenant), await login(app, tenant)]
  const again = await login(app, tenant, one.email)
  let next = 0
  const call = (process: TestApp, as = next % 2 === 0 ? one : again) => {
    next += 1
    const path = ['userop/build', 'userop/submit'][next % 2]
    return process.call('POST', `/v1/${path}`, { pk: as.pk, token: as.token, json: { unknown: 1 } })
  }
  expect(await passing(320, call)).toBe(300)
  expect((await call(app, other)).status).toBe(400)
  await pass(1_000)
  expect(await passing(20, call)).toBe(10)
})
