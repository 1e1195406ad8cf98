import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { FrameFailure } from '../frame-failure.ts'
import { messageBytesMax } from '../protocol/messages.ts'
import { type Handlers, talk } from './talk.ts'

const never = () => Promise.reject(new Error('not in this test'))
const closing: MessagePort[] = []
afterEach(() => {
  for (const port of closing.splice(0)) port.close()
})

/** The page's end of a talk: what the frame says, in order. */
function opened(some: Partial<Handlers>) {
  const { port1, port2 } = new MessageChannel()
  closing.push(port1, port2)
  const received: Record<string, unknown>[] = []
  port1.addEventListener('message', ({ data }) => received.push(data))
  port1.start()
  const handlers: Handlers = {
    'session.set': async () => ({}),
    'login.start': never,
    'login.verify': never,
    'wallet.create': never,
    'wallet.import': never,
    'device.state': never,
    'device.wipe': async () => ({}),
    sign: never,
    'userop.send': never,
    'calls.agree': never,
    'calls.show': never,
    'transactions.agree': never,
    'recovery.run': never,
    'share.refresh': never,
    'key.export': never,
    ...some,
  }
  const page = { port: port2, origin: 'https://shop.example', session: 's1' }
  const line = talk(page, handlers)
  return {
    line,
    say: (message: unknown) => port1.postMessage(message),
    request: (id: unknown, method: unknown, params: unknown, more = {}) =>
      port1.postMessage({ type: 'request', session: 's1', id, method, params, ...more }),
    /** Waits for this many messages, and a little longer in case there are more. */
    async received(count: number) {
      for (let i = 0; i < 200 && received.length < count; i++) await new Promise((go) => setTimeout(go, 2))
      await new Promise((go) => setTimeout(go, 5))
      return received
    },
  }
}

const wipe = ['device.wipe', {}] as const
const answered = (id: number) => ({ type: 'answer', session: 's1', id, result: {} })
const failed = (id: number, code: string) => ({
  type: 'answer',
  session: 's1',
  id,
  error: expect.objectContaining({ code }),
})

describe('the talk of page and frame', () => {
  test('a request is answered under its id', async () => {
    const page = opened({})
    page.request(0, ...wipe)
    page.request(5, 'session.set', { token: 'abc' })
    expect(await page.received(2)).toEqual([answered(0), answered(5)])
  })

  test('an id that does not rise is a replay and gets no answer', async () => {
    let count = 0
    const page = opened({
      'device.wipe': async () => {
        count++
        return {}
      },
    })
    for (const id of [3, 3, 2, 0, -1, 1.5, 2 ** 60, '4', null, 4]) page.request(id, ...wipe)
    expect(await page.received(2)).toEqual([answered(3), answered(4)])
    expect(count).toBe(2)
  })

  test('a message of another session, or of no form, gets no answer', async () => {
    const page = opened({})
    page.request(1, ...wipe, { session: 's2' })
    for (const message of [null, 1, 'request', [], {}, { type: 'request', id: 1 }]) page.say(message)
    page.say({ type: 'other', session: 's1', id: 1 })
    page.request(1, ...wipe)
    expect(await page.received(1)).toEqual([answered(1)])
  })

  test.each([
    ['an unknown method', ['device.erase', {}]],
    ['an inherited name', ['constructor', {}]],
    ['a field too many', ['device.wipe', { all: true }]],
    ['a missing field', ['wallet.create', {}]],
    ['another curve', ['wallet.create', { curve: 'p256' }]],
    ['a token that would split a header', ['session.set', { token: 'a\r\nb: c' }]],
    ['no object', ['device.wipe', null]],
    ['a list', ['device.wipe', []]],
    ['a key with a meaning', ['sign', { request: { ['__proto__']: 1, type: 'message' } }]],
    ['a value of no JSON', ['sign', { request: { type: 'message', message: 1n } }]],
  ] as const)('%s is invalid_request', async (_name, [method, params]) => {
    const page = opened({ sign: async () => ({}) })
    page.request(1, method, JSON.parse(JSON.stringify(params, inJson), reviveBig))
    expect(await page.received(1)).toEqual([failed(1, 'invalid_request')])
  })

  test('a field too many beside the method is invalid_request', async () => {
    const page = opened({})
    page.request(1, ...wipe, { origin: 'https://evil.example' })
    expect(await page.received(1)).toEqual([failed(1, 'invalid_request')])
  })

  test('a message above the limit gets an error, one below is served', async () => {
    const page = opened({ sign: async () => ({}) })
    const text = (length: number) => ({ request: { type: 'message', message: 'x'.repeat(length) } })
    page.request(1, 'sign', text(messageBytesMax))
    page.request(2, 'sign', text(messageBytesMax - 200))
    page.request(3, 'sign', { request: { type: 'message', message: 'é'.repeat(messageBytesMax / 2) } })
    const [too, fits, wide] = [failed(1, 'message_too_large'), answered(2), failed(3, 'message_too_large')]
    expect(await page.received(3)).toEqual([too, fits, wide])
  })

  test('our own failures answer with their code, all others with `internal`', async () => {
    const page = opened({
      'device.wipe': () => Promise.reject(new FrameFailure('session_missing')),
      'wallet.create': () => Promise.reject(new Error('secret 0xabcdef')),
    })
    page.request(1, ...wipe)
    page.request(2, 'wallet.create', { curve: 'ed25519' })
    const received = await page.received(2)
    expect(received).toEqual([failed(1, 'session_missing'), failed(2, 'internal')])
    expect(JSON.stringify(received)).not.toContain('abcdef')
  })

  test('a cancelled request ends as cancelled, whatever it was waiting for', async () => {
    const page = opened({
      sign: (_params, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    page.request(7, 'sign', { request: {} })
    page.say({ type: 'cancel', session: 's1', id: 8 })
    page.say({ type: 'cancel', session: 's2', id: 7 })
    expect(await page.received(1)).toEqual([])
    page.say({ type: 'cancel', session: 's1', id: 7 })
    expect(await page.received(1)).toEqual([failed(7, 'cancelled')])
  })

  test('requests above the limit get an error, and later ones are served again', async () => {
    const open: (() => void)[] = []
    const page = opened({ 'device.wipe': () => new Promise((resolve) => open.push(() => resolve({}))) })
    for (let id = 1; id <= 34; id++) page.request(id, ...wipe)
    expect(await page.received(2)).toEqual([failed(33, 'rate_limited'), failed(34, 'rate_limited')])
    for (const finish of open) finish()
    await page.received(34)
    page.request(35, 'session.set', { token: null })
    expect((await page.received(35)).at(-1)).toEqual(answered(35))
  })

  test('the frame goes on serving a page whatever it says', async () => {
    const page = opened({ sign: async () => ({}) })
    const values = fc.sample(fc.anything({ withBigInt: true, withDate: true, withMap: true }), {
      numRuns: 200,
      seed: 5,
    })
    let id = 1
    for (const value of values) {
      try {
        page.say(value)
        page.request(id++, 'sign', { request: value })
        page.request(id++, value, value)
      } catch {
        // What cannot be cloned cannot be said.
      }
    }
    page.request(10_000, ...wipe)
    await page.received(1)
    for (let i = 0; i < 100 && (await page.received(1)).at(-1)?.['id'] !== 10_000; i++);
    expect((await page.received(1)).at(-1)).toEqual(answered(10_000))
  })

  test('the page learns when something is shown', async () => {
    const page = opened({})
    page.line.showDialog(true)
    page.line.showDialog(false)
    expect(await page.received(2)).toEqual([
      { type: 'dialog', session: 's1', open: true },
      { type: 'dialog', session: 's1', open: false },
    ])
  })
})

const inJson = (_key: string, value: unknown) => (typeof value === 'bigint' ? `big:${value}` : value)
const reviveBig = (_key: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('big:') ? BigInt(value.slice(4)) : value
