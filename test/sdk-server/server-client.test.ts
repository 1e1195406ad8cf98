import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createServerClient,
  platformKeys,
  type ServerClient,
  SymbolonError,
  unwrap,
} from '@symbolon/sdk/server'
import { forgetRates, makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let client: ServerClient

beforeAll(async () => {
  app = await startTestApp({ isVisited: true })
  tenant = await makeTenant(app)
  client = createServerClient({ secretKey: tenant.sk, baseUrl: `${app.url}/` })
})
afterAll(() => app.stop())
afterEach(() => forgetRates(app))

/** A network that loses, delays or answers for the service, and counts. */
function network(trouble: (attempt: number, send: () => Promise<Response>) => Promise<Response>) {
  const seen: (string | null)[] = []
  const fetchThrough: typeof fetch = async (input, init) => {
    seen.push(new Headers(init?.headers).get('idempotency-key'))
    return trouble(seen.length, () => fetch(input, init))
  }
  return { seen, client: createServerClient({ secretKey: tenant.sk, baseUrl: app.url, fetch: fetchThrough }) }
}

const refusal = (status: number, code: string, retryAfter: string) =>
  new Response(JSON.stringify({ data: null, error: { code, message: 'Later.' } }), {
    status,
    headers: { 'retry-after': retryAfter },
  })

const countOf = async (email: string) => (await client.wallets.list({ email })).data?.total

test('every route for backends answers as the API does', async () => {
  const made = unwrap(await client.wallets.create({ email: 'one@example.test' }))
  expect(unwrap(await client.wallets.get(made.id))).toEqual(made)
  const again = await client.wallets.create({ email: 'one@example.test' })
  expect(again).toMatchObject({ data: { id: made.id }, error: { code: 'wallet_exists', status: 409 } })

  const batch = unwrap(
    await client.wallets.createBatch([{ email: 'two@example.test' }, { email: 'one@example.test' }]),
  )
  expect(batch.map(({ status }) => status)).toEqual([201, 409])
  expect(unwrap(await client.wallets.list({ limit: 1, offset: 1 }))).toMatchObject({
    total: 2,
    limit: 1,
    offset: 1,
  })

  const signed = unwrap(await client.sign({ wallet_id: made.id, type: 'message', message: 'hello' }))
  expect(signed).toMatchObject({ wallet_id: made.id, address: made.address, type: 'message' })
  expect(unwrap(await client.smartAccounts.list(made.id))).toEqual([])
  expect((await client.smartAccounts.create(made.id, 'nowhere')).error?.code).toBe('chain_unsupported')
  expect(unwrap(await client.chains()).map(({ handle }) => handle)).toContain('ethereum')

  expect(await client.wallets.archive(made.id)).toEqual({ data: null, error: null })
  const refused = await client.sign({ wallet_id: made.id, type: 'message', message: 'hello' })
  expect(refused.error).toMatchObject({ code: 'wallet_archived', status: 409, requestId: expect.any(String) })
  expect(await client.wallets.unarchive(made.id)).toEqual({ data: null, error: null })
  expect((await client.wallets.get('01997b3c-7a52-7c07-b6e6-28c6f5dd2a01')).error?.code).toBe(
    'wallet_not_found',
  )
})

test('all wallets are walked, each once, while new ones come in between', async () => {
  const many = await makeTenant(app)
  const walker = createServerClient({ secretKey: many.sk, baseUrl: app.url })
  const make = async (count: number, round: number) => {
    let missing = Array.from({ length: count }, (_, i) => ({ email: `w${round}-${i}@example.test` }))
    // On a busy machine the last items of a batch are refused before its answer is late, and are asked for again.
    while (missing.length > 0) {
      await forgetRates(app)
      const results = unwrap(await walker.wallets.createBatch(missing))
      expect(results.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
      missing = missing.filter((_, i) => results[i]?.status === 503)
    }
  }
  for (const [round, count] of [100, 100, 10].entries()) await make(count, round)
  const seen: string[] = []
  for await (const { id } of walker.wallets.each()) {
    seen.push(id)
    if (seen.length === 1) await make(30, 4)
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toHaveLength(210)
  const filtered = []
  for await (const wallet of walker.wallets.each({ status: 'archived' })) filtered.push(wallet)
  expect(filtered).toEqual([])
})

test('a walk over pages throws the coded error of the page that failed', async () => {
  const revoked = createServerClient({
    secretKey: tenant.sk,
    baseUrl: app.url,
    fetch: async () => refusal(401, 'unauthorized', '0'),
  })
  await expect(revoked.wallets.each().next()).rejects.toThrow(SymbolonError)
})

test('a write whose answer is lost is sent again under the same key and takes effect once', async () => {
  const lossy = network(async (attempt, send) => {
    const answer = await send()
    if (attempt < 3) throw new TypeError('the connection broke')
    return answer
  })
  const made = unwrap(await lossy.client.wallets.create({ email: 'lost@example.test' }))
  expect(lossy.seen).toHaveLength(3)
  expect(new Set(lossy.seen).size).toBe(1)
  // The first one's answer, and not wallet_exists.
  expect(made.identity.email).toBe('lost@example.test')
  expect(await countOf('lost@example.test')).toBe(1)
})

test('a key of the caller makes two calls one', async () => {
  const idempotencyKey = 'order-7-wallet'
  const first = await client.wallets.create({ email: 'order@example.test' }, { idempotencyKey })
  const second = await client.wallets.create({ email: 'order@example.test' }, { idempotencyKey })
  expect(second).toEqual(first)
  const other = await client.wallets.create({ email: 'other@example.test' }, { idempotencyKey })
  expect(other.error?.code).toBe('idempotency_key_reused')
})

test('503 and 429 are waited out as Retry-After says, 503 three times at most, longer ones are handed on', async () => {
  const busy = (status: number, code: string, attempts: number) =>
    network(async (attempt, send) => (attempt < attempts ? refusal(status, code, '0.05') : send()))
  expect((await busy(503, 'unavailable', 3).client.chains()).error).toBeNull()
  expect((await busy(503, 'unavailable', 4).client.chains()).error?.code).toBe('unavailable')
  expect((await busy(429, 'rate_limited', 8).client.chains()).error).toBeNull()
  const long = network(async () => refusal(429, 'rate_limited', '600'))
  expect((await long.client.chains()).error).toMatchObject({ code: 'rate_limited', status: 429 })
  expect(long.seen).toHaveLength(1)
})

test('a caller can stop waiting, and a service that never answers is a timeout', async () => {
  const silent = network(
    (_attempt, _send) => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('late')), 300)),
  )
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 20)
  expect((await silent.client.chains({ signal: controller.signal })).error?.code).toBe('cancelled')
  expect((await silent.client.chains({ limitMs: 20 })).error?.code).toBe('timeout')
})

test('a secret key goes nowhere but to its platform, encrypted, and into no error', async () => {
  const tries = [
    { secretKey: tenant.pk, baseUrl: app.url },
    { secretKey: `${tenant.sk}x`, baseUrl: app.url },
    { secretKey: tenant.sk, baseUrl: 'http://wallets.example.test' },
    { secretKey: tenant.sk, baseUrl: 'http://127.0.0.1.example.test' },
    { secretKey: tenant.sk, baseUrl: 'nonsense' },
  ]
  for (const options of tries) {
    let thrown: unknown
    try {
      createServerClient(options)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(TypeError)
    expect(`${thrown}${JSON.stringify(thrown)}`).not.toContain(options.secretKey)
  }
  const redirecting = network(
    async (_attempt, _send) =>
      new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
  )
  const results = [
    await redirecting.client.chains(),
    await createServerClient({ secretKey: tenant.sk, baseUrl: 'http://127.0.0.1:9' }).chains(),
    await client.wallets.get('x'),
  ]
  expect(results.map(({ error }) => error?.code)).toEqual(['invalid_answer', 'network_failed', 'not_found'])
  expect(JSON.stringify(results)).not.toContain(tenant.sk)
})

test('an address that redirects is said to, with the one it leads to, and gets no key', async () => {
  const keys: (string | undefined)[] = []
  const server = createServer(({ url, headers }, response) => {
    keys.push(headers.authorization)
    response.writeHead(301, { location: `https://wallets.example.com${url}?secret` }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const message = `${baseUrl} redirects to https://wallets.example.com: use that address.`
    const lost = createServerClient({ secretKey: tenant.sk, baseUrl })
    expect(await lost.wallets.list()).toMatchObject({ error: { code: 'network_failed', message } })
    // The explanation itself was asked for without it.
    expect(keys.at(-1)).toBeUndefined()
    await expect(platformKeys({ baseUrl })()).rejects.toThrow(message)
  } finally {
    server.close()
  }
})

test('the address of the frame, or a page of the platform, is said not to be the API', async () => {
  for (const baseUrl of [app.frameUrl, `${app.url}/reference`]) {
    const lost = createServerClient({ secretKey: tenant.sk, baseUrl })
    const said = {
      data: null,
      error: {
        code: 'invalid_answer',
        message: `What answers at ${baseUrl} is not the platform's API: check baseUrl.`,
      },
    }
    for (const result of [
      await lost.wallets.list(),
      await lost.wallets.create({ email: 'lost@example.test' }),
      await lost.chains(),
    ]) {
      expect(result).toMatchObject(said)
      expect(result.error).not.toHaveProperty('docs_url')
    }
  }
  // What the API itself does not find is said in its own words, also as the first answer.
  const own = createServerClient({ secretKey: tenant.sk, baseUrl: app.url })
  const missing = await own.wallets.get('0199c2f1-7a00-7000-8000-000000000001')
  expect(missing.error?.code).toBe('wallet_not_found')
})
