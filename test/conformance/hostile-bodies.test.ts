import { declares, type ErrorCode, errors, type Route, routes } from '@symbolon/api'
import { vectorJson } from '@symbolon/networks/testing/vectors'
import type { Answer, CallOptions } from '@symbolon/testing/app'
import { liftRates } from '@symbolon/testing/app'
import { changed, each, odd, pathsOf, signBodies, wrong, wrongAt } from '@symbolon/testing/http'
import { spreadCases } from '@symbolon/testing/properties'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, credentialsOf, type Fixture, internals, makeFixture, pathOf } from './fixture.ts'
import { portalCredentials } from './portal-error-cases.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await makeFixture()
  await liftRates(fixture.app)
})
afterAll(() => fixture.stop())

const posts: Route[] = Object.values(routes as Record<string, Route>).filter(
  // Routes that read the raw body themselves answer as their protocols have it.
  ({ method, handler }) => (method === 'POST' || method === 'PUT' || method === 'PATCH') && handler !== 'raw',
)
const withBody = posts.filter(({ body, id }) => body !== undefined && !id.startsWith('signing.'))

async function send(route: Route, options: CallOptions): Promise<Answer> {
  // A logout would end the token of the next call.
  const user = route.id === 'auth.logout' ? await fixture.newUser(fixture.tenant) : fixture.owner
  const answer = await fixture.app.call(route.method, pathOf(fixture, route), {
    ...(route.lane === 'portal'
      ? await portalCredentials(fixture)
      : credentialsOf(route, fixture.tenant, user, fixture.agents)),
    ...options,
  })
  expectDecent(route, answer)
  return answer
}

/** No answer may be ours to be ashamed of: a declared code in the envelope, no 5xx, nothing of our insides. */
function expectDecent(route: Route, { status, error }: Answer): void {
  expect(status).toBeLessThan(500)
  if (error === null) return
  expect(errors[error.code].status).toBe(status)
  expect(declares(route, error.code)).toBe(true)
  // The error alone: an existing wallet's random addresses may spell anything.
  expect(JSON.stringify(error)).not.toMatch(internals)
}

describe('wrong values', () => {
  test.each(withBody.map((route) => [route.id, route] as const))(
    '%s refuses every wrong type in every place',
    async (_, route) => {
      const body = bodyOf(route, fixture) ?? {}
      await each(
        pathsOf(body).flatMap((path, place) =>
          spreadCases(wrongAt(body, path), 3, place).map((value) => ({ path, value })),
        ),
        async ({ path, value }) => {
          const { status, error } = await send(route, { json: changed(body, path, value) })
          expect({ path, value, status, code: error?.code }).toMatchObject({
            status: 400,
            code: 'invalid_request',
          })
        },
      )
      await each(
        pathsOf(body).flatMap((path, place) =>
          spreadCases(odd, 4, place).map((value) => changed(body, path, value)),
        ),
        async (json) => {
          await send(route, { json })
        },
      )
    },
  )

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'no value in any place of sign request %i breaks anything',
    async (i) => {
      const body = signBodies[i] ?? {}
      const values = pathsOf(body).flatMap((path, place) =>
        spreadCases([...wrong, ...odd], 5, place).map((value) => changed(body, path, value)),
      )
      const signing = posts.filter(({ id }) => id.startsWith('signing.'))
      for (const route of spreadCases(signing, 2, i)) {
        await each(values, async (json) => {
          await send(route, {
            json: route.id === 'signing.sign' ? { wallet_id: fixture.walletId, ...(json as object) } : json,
          })
        })
      }
    },
  )

  test.each(posts.map((route, i) => [route.id, route, i] as const))(
    '%s takes an object and nothing beside its fields',
    async (_, route, i) => {
      const body = bodyOf(route, fixture)
      const others = [[], 1, 'text', true, null, [body ?? {}], { ...body, prototype: {} }]
      for (const json of [{ ...body, unknown: 1 }, ...spreadCases(others, 4, i)]) {
        expect(await send(route, { json })).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
      }
    },
  )
})

describe('dangerous keys and depths', () => {
  const texts = [
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"\\u0063onstructor":1}',
    '{"a":{"b":{"__pro\\u0074o__":null}}}',
  ]

  test.each(posts.map((route, i) => [route.id, route, i] as const))(
    '%s refuses them before it looks',
    async (_, route, i) => {
      const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
      const bodies = [
        ...texts,
        deep(33),
        deep(100_000),
        '{"a":'.repeat(33),
        `{"a":${deep(32)}}`,
        ' ',
        '{',
        '{"a":1,}',
        'NaN',
        '\ufeff{}',
        '{}{}',
      ]
      for (const body of spreadCases(bodies, 4, i)) {
        const { status, error } = await send(route, { body })
        expect({ body: body.slice(0, 40), status, code: error?.code }).toMatchObject({
          status: 400,
          code: 'invalid_request',
        })
      }
      const bytes = [
        Uint8Array.of(0x22, 0xff, 0x22),
        Uint8Array.of(0x22, 0xc0, 0x80, 0x22),
        Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
        Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
      ]
      for (const body of spreadCases(bytes, 4, i))
        expect((await send(route, { body })).error?.code).toBe('invalid_request')
    },
  )

  test('32 levels and 256 KiB are still fine, one more of either is not', async () => {
    const sign = (json: unknown) =>
      fixture.app.call('POST', '/v1/s2s/sign', { sk: fixture.tenant.sk, body: JSON.stringify(json) })
    const payment = {
      type: 'transaction',
      wallet_id: fixture.walletId,
      chain: 'base',
      transaction: {
        to: `0x${'11'.repeat(20)}`,
        nonce: '0x0',
        gas_limit: '0xffffff',
        max_fee_per_gas: '0x1',
        max_priority_fee_per_gas: '0x1',
        data: '0x',
      },
    }
    const bytesOf = (json: unknown) => JSON.stringify(json).length
    const paying = (pairs: number) => ({
      ...payment,
      transaction: { ...payment.transaction, data: `0x${'00'.repeat(pairs)}` },
    })
    const pairs = Math.floor((256 * 1024 - bytesOf(payment)) / 2)
    expect((await sign(paying(pairs))).status).toBe(200)
    expect((await sign(paying(pairs + 1))).error?.code).toBe('payload_too_large')
    const frame = { type: 'message', wallet_id: fixture.walletId, message: '' }
    const room = 64 * 1024 - bytesOf(frame)
    expect((await sign({ ...frame, message: 'x'.repeat(room) })).status).toBe(200)
    expect((await sign({ ...frame, message: 'x'.repeat(room + 1) })).error?.code).toBe('payload_too_large')
    const { dry_run: _, ...hidden } = { ...paying(pairs), type: 'hash', dry_run: true }
    expect((await sign(hidden)).error?.code).toBe('payload_too_large')
    // The typed data's values lie three levels down.
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    const typed = (levels: number) =>
      sign({
        wallet_id: fixture.walletId,
        type: 'typed_data',
        typed_data: { domain: {}, types: { A: [] }, primaryType: 'A', message: { a: nested(levels) } },
      })
    expect((await typed(29)).error?.code).toBe('invalid_payload')
    expect((await typed(30)).error?.code).toBe('invalid_request')
  })

  test('of duplicate keys the last one counts', async () => {
    const body = `{"type":"hash","type":"message","message":"a","message":"b","wallet_id":"${fixture.walletId}"}`
    const { data } = await fixture.app.call<{ signed_payload: string }>('POST', '/v1/s2s/sign', {
      sk: fixture.tenant.sk,
      body,
    })
    expect(data.signed_payload).toBe(`0x${Buffer.from('\x19Ethereum Signed Message:\n1b').toString('hex')}`)
  })
})

describe('texts that a database could choke on', () => {
  const create = (json: unknown) =>
    fixture.app.call<{ identity: Record<string, string> }>('POST', '/v1/s2s/wallets', {
      sk: fixture.tenant.sk,
      json,
    })
  const decent = (answer: Answer<unknown>) => expectDecent(routes.createWalletFor, answer as Answer)

  test('a name is refused or comes back as it was given', async () => {
    const strings =
      vectorJson<string[]>('hostile/blns_base64.json')?.map((text) =>
        Buffer.from(text, 'base64').toString('utf8'),
      ) ?? []
    const own = [
      "Robert'); drop table wallets;--",
      '\u202eabc',
      'ﷺ',
      '\ud83d\ude00',
      'a\u0301',
      '\u00a0',
      '#{x}',
      '\\',
      'null',
      '0',
    ]
    await each([...own, ...strings], async (provider_user_id) => {
      const answer = await create({ provider_user_id })
      decent(answer)
      if (answer.status === 201) expect(answer.data.identity['provider_user_id']).toBe(provider_user_id)
    })
    for (const provider_user_id of ['a\0', '\u0001', '\u007f', '\u0085', '\ud800'])
      expect((await create({ provider_user_id })).status).toBe(400)
  })

  test('an email is refused or taken in its normal form', async () => {
    type Vector = { address?: string }
    const vectors = vectorJson<Vector[] | { tests?: Vector[] }>('hostile/isemail_tests.json')
    const list = Array.isArray(vectors) ? vectors : (vectors?.tests ?? [])
    const own = [
      'a@b',
      'a@b.c\0',
      'a\r\nBcc: b@example.test@example.test',
      '"a b"@example.test',
      'a,b@example.test',
      'a@[127.0.0.1]',
      '<a@example.test>',
      'a@example.test>',
      'ａ＠example.test',
    ]
    await each([...own, ...list.map(({ address }) => address ?? '')], async (email) => {
      const answer = await create({ email })
      decent(answer)
      if (answer.status === 201)
        expect(answer.data.identity['email']).toBe(email.trim().normalize('NFKC').toLowerCase())
    })
    for (const email of own.slice(1, -1)) expect((await create({ email })).status).toBe(400)
  })

  test('no query breaks the list', async () => {
    const values = [
      '%00',
      '%ff',
      '%',
      '%zz',
      '%ed%a0%80',
      "'",
      '%27%20or%201=1',
      '[]',
      '{}',
      '__proto__',
      '9'.repeat(400),
      '%F0%9F%92%A5',
    ]
    const names = [
      'limit',
      'offset',
      'status',
      'curve',
      'user_identity_id',
      'email',
      'address',
      '__proto__',
      'constructor',
      'limit[]',
      'email[a]',
      '%00',
      '',
    ]
    await each(
      names.flatMap((name) => values.map((value) => `?${name}=${value}`)),
      async (query) => {
        const answer = await fixture.app.call('GET', `/v1/s2s/wallets${query}`, { sk: fixture.tenant.sk })
        expect(answer.status).toBeLessThan(500)
        expect(answer.text).not.toMatch(internals)
      },
    )
    const many = await fixture.app.call('GET', `/v1/s2s/wallets?${'limit=1&'.repeat(900)}`, {
      sk: fixture.tenant.sk,
    })
    expect(many.status).toBe(400)
  })

  test('the JSON test suite is refused or read, and never more', async () => {
    const vectors = vectorJson<Record<string, string>>('hostile/jsontestsuite_parsing_b64.json') ?? {}
    await each(Object.entries(vectors), async ([name, base64]) => {
      const body = Uint8Array.from(Buffer.from(base64, 'base64'))
      const { status, error } = await send(routes.createWalletFor, { body })
      const code: ErrorCode | undefined = error?.code
      expect({ name, status, code }).toEqual({ name, status: 400, code: 'invalid_request' })
    })
  })
})
