import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { codeOf, connectedPage } from './support/embedded-page.ts'
import { type Shop, startShop, type Visit } from './support/shop.ts'

let shop: Shop
let visit: Visit

beforeAll(async () => {
  shop = await startShop()
  visit = await shop.visit()
})
afterAll(async () => {
  await visit?.close()
  await shop?.stop()
})
afterEach(async () => {
  await Promise.all(visit.context.pages().map((page) => page !== visit.page && page.close()))
})

/** Long enough for an answer, short enough to wait for none. */
const silenceMs = 200

const connected = (context = visit.context) => connectedPage(shop, context)

test('an id that was used, or is below one that was, is dropped: each request is done once', async () => {
  const page = await connected()
  const answers = await page.evaluate(async (waitMs) => {
    const send = (id: number) =>
      talk.send({
        type: 'request',
        session: talk.session,
        id,
        method: 'session.set',
        params: { token: null },
      })
    for (const id of [5, 5, 4, 1, 6, 6, 5]) send(id)
    await talk.answerTo(6)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return talk.received.flatMap((message) => (message.type === 'answer' ? [message.id] : []))
  }, silenceMs)
  expect(answers).toEqual([5, 6])
})

test('a request of another session does nothing', async () => {
  const page = await connected()
  const answered = await page.evaluate(async (waitMs) => {
    const params = { token: null }
    talk.send({ type: 'request', session: 'another', id: 1, method: 'session.set', params })
    talk.send({ type: 'request', id: 2, method: 'session.set', params })
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return talk.received.filter((message) => message.type === 'answer')
  }, silenceMs)
  expect(answered.some((message) => 'result' in message)).toBe(false)
  expect(await page.evaluate(() => talk.request('session.set', { token: null }))).toMatchObject({
    result: {},
  })
})

test('a request that is not as documented is refused by name, and nothing of it is done', async () => {
  const page = await connected()
  const refused: [string, unknown][] = [
    ['no.such.method', {}],
    ['toString', {}],
    ['__proto__', {}],
    ['constructor', {}],
    ['session.set', {}],
    ['session.set', { token: 7 }],
    ['session.set', { token: null, more: true }],
    ['session.set', null],
    ['session.set', []],
    ['session.set', 'token'],
    ['wallet.create', { curve: 'p256' }],
    ['wallet.create', { curve: 'secp256k1', secret: 'x' }],
    ['device.wipe', { all: true }],
    ['sign', { request: null }],
    ['sign', { request: { type: 'message', message: 'x', encoding: 'utf8', dry: 1 } }],
    ['sign', { request: [] }],
  ]
  for (const [method, params] of refused) {
    const answer = await page.evaluate(([name, given]) => talk.request(name, given), [
      method,
      params,
    ] as const)
    expect(codeOf(answer), `${method} ${JSON.stringify(params)}`).toBe('invalid_request')
  }
  const own = await page.evaluate(() => {
    const params = JSON.parse('{"token": null, "__proto__": {"is_admin": true}}')
    return talk.request('session.set', params)
  })
  expect(codeOf(own)).toBe('invalid_request')
})

test('keys that JavaScript gives a meaning are refused wherever they are', async () => {
  const page = await connected()
  const nested = [
    '{"type":"typed_data","typed_data":{"domain":{},"types":{"A":[]},"primaryType":"A","message":{"__proto__":{"a":1}}}}',
    '{"type":"typed_data","typed_data":{"domain":{},"types":{"constructor":[]},"primaryType":"constructor","message":{}}}',
  ]
  for (const text of nested) {
    const answer = await page.evaluate((json) => talk.request('sign', { request: JSON.parse(json) }), text)
    expect(codeOf(answer), text).toBe('invalid_request')
  }
  const plain =
    '{"type":"typed_data","typed_data":{"domain":{},"types":{"A":[]},"primaryType":"A","message":{}}}'
  const answer = await page.evaluate((json) => talk.request('sign', { request: JSON.parse(json) }), plain)
  expect(codeOf(answer)).toBe('session_missing')
})

test('anything but plain JSON is refused: bytes, dates, maps, cycles, getters of a class', async () => {
  const page = await connected()
  const codes = await page.evaluate(async () => {
    const cycle: Record<string, unknown> = { type: 'message' }
    cycle['self'] = cycle
    const requests: unknown[] = [
      new Uint8Array(4),
      new Date(),
      new Map([['type', 'message']]),
      cycle,
      7n,
      new Blob(['x']),
    ]
    const answers: unknown[] = []
    for (const request of requests) {
      const answer = await talk.request('sign', { request })
      answers.push(answer?.type === 'answer' && 'error' in answer ? answer.error.code : answer)
    }
    return answers
  })
  expect(codes).toEqual(Array(6).fill('invalid_request'))
})

test('a message over the limit is refused as too large', async () => {
  const page = await connected()
  const request = (length: number) =>
    page.evaluate(
      (size) =>
        talk.request('sign', {
          request: { type: 'message', message: 'é'.repeat(size / 2), encoding: 'utf8' },
        }),
      length,
    )
  expect(codeOf(await request(262_144))).toBe('message_too_large')
  expect(codeOf(await request(8_000_000))).toBe('message_too_large')
  expect(codeOf(await request(200_000))).not.toBe('message_too_large')
})

test('thousands of messages, sense and nonsense, leave it able to answer', async () => {
  // Not watched: recording each of them would take longer than all else.
  const context = await shop.browser.newContext()
  const page = await connected(context)
  const answer = await page.evaluate(async () => {
    for (let i = 0; i < 5_000; i++) {
      talk.send({ type: 'request', session: talk.session, id: i + 1, method: `m${i}`, params: { i } })
      talk.send(i % 2 === 0 ? null : [i])
      talk.send({ type: 'cancel', session: talk.session, id: i })
    }
    talk.nextId = 5_001
    return talk.request('session.set', { token: null })
  })
  expect(answer).toMatchObject({ result: {} })
  await context.close()
})

test('nothing works before a session is set, and no method reveals more than that', async () => {
  const page = await connected()
  const requests: [string, unknown][] = [
    ['wallet.create', { curve: 'secp256k1' }],
    ['device.state', { curve: 'secp256k1' }],
    ['sign', { request: { type: 'message', message: 'x', encoding: 'utf8' } }],
    ['recovery.run', { curve: 'secp256k1' }],
    ['share.refresh', { curve: 'secp256k1' }],
    ['key.export', { curve: 'secp256k1' }],
    ['wallet.import', { curve: 'secp256k1' }],
    ['device.wipe', {}],
  ]
  for (const [method, params] of requests) {
    const answer = await page.evaluate(([name, given]) => talk.request(name, given), [
      method,
      params,
    ] as const)
    expect(codeOf(answer), method).toBe('session_missing')
  }
})

test("none of this broke the frame's own rules", () => {
  expect(visit.traffic.errors).toEqual([])
  expect(visit.traffic.violations.filter((violation) => !violation.includes('frame-ancestors'))).toEqual([])
})
