import { describe, expect, test, vi } from 'vitest'
import type { Routes } from '../generated/routes.ts'
import { httpCall } from './http-call.ts'

type Sent = { url: string; method: string; key: string | null; authorization: string | null; body: unknown }

/** Calls against answers in turn; an `Error` is a network that fails. */
function calling(...answers: (Response | Error)[]) {
  const sent: Sent[] = []
  let token = 'first'
  const call = httpCall<Routes>({
    baseUrl: 'https://api.example/base',
    explain: async (failed) => ({ ...failed, message: 'Check baseUrl.' }),
    headers: () => ({ authorization: `Bearer ${token}` }),
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      sent.push({
        url: String(url),
        method: init?.method ?? '',
        key: headers.get('idempotency-key'),
        authorization: headers.get('authorization'),
        body: init?.body,
      })
      token = 'second'
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      if (answer !== undefined) return answer
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    },
  })
  return { call, sent }
}

const ok = (data: unknown) => Response.json({ data, error: null })
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ data: null, error: { code, message: 'No.' } }, { status, headers })
const logout = 'POST /v1/wallets/me/logout'
const down = new TypeError('fetch failed')

describe('a call', () => {
  test('fills in path and query, and leaves out what was not given', async () => {
    const { call, sent } = calling(ok({}), ok({}))
    await call('GET /v1/userop/{hash}', { params: { hash: '0x/1' } })
    await call('GET /v1/wallets/me', { query: { curve: 'ed25519' } })
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET https://api.example/base/v1/userop/0x%2F1',
      'GET https://api.example/base/v1/wallets/me?curve=ed25519',
    ])
  })

  test('whose answer was lost is sent again under one idempotency key, with the token of the first', async () => {
    const { call, sent } = calling(down, new Response(null, { status: 204 }))
    expect(await call(logout, {})).toEqual({ data: null, error: null })
    expect(sent).toHaveLength(2)
    expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(sent[1]).toEqual(sent[0])
  })

  test('that must not be repeated bears no key and is sent once', async () => {
    const { call, sent } = calling(down, ok({}))
    const { error } = await call(logout, { isRepeatable: false })
    expect(error?.code).toBe('network_failed')
    expect(sent.map(({ key }) => key)).toEqual([null])
  })

  test('waits out a short Retry-After and hands on a long one', async () => {
    const { call, sent } = calling(refusal(429, 'rate_limited', { 'retry-after': '0.02' }), ok({}))
    expect((await call('GET /v1/chains', {})).error).toBeNull()
    expect(sent).toHaveLength(2)
    const patient = calling(refusal(429, 'rate_limited', { 'retry-after': '60' }))
    expect((await patient.call(logout, { isRepeatable: false })).error?.code).toBe('rate_limited')
    expect(patient.sent).toHaveLength(1)
  })

  test('asks after the first sending while that is still running', async () => {
    vi.useFakeTimers()
    try {
      const running = () => refusal(409, 'idempotency_key_in_flight')
      const { call, sent } = calling(down, running(), running(), new Response(null, { status: 204 }))
      const asked = call(logout, {})
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await asked).toEqual({ data: null, error: null })
      expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('gives up after three attempts', async () => {
    vi.useFakeTimers()
    try {
      const { call, sent } = calling(down, down, down, ok({}))
      const asked = call(logout, {})
      await vi.advanceTimersByTimeAsync(10_000)
      expect((await asked).error?.code).toBe('network_failed')
      expect(sent).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('explains what to check while no call was ever answered, and no longer after that', async () => {
    const { call } = calling(down, refusal(401, 'unauthorized'), down)
    const first = await call(logout, { isRepeatable: false })
    expect(first.error).toMatchObject({ code: 'network_failed', message: 'Check baseUrl.' })
    await call(logout, { isRepeatable: false })
    const later = await call(logout, { isRepeatable: false })
    expect(later.error?.message).toBe('The service could not be reached. Try again.')
  })

  test('distinguishes late and cancelled answers', async () => {
    expect((await calling().call('GET /v1/chains', { limitMs: 10 })).error?.code).toBe('timeout')
    const controller = new AbortController()
    const asked = calling().call('GET /v1/chains', { signal: controller.signal })
    controller.abort()
    expect((await asked).error?.code).toBe('cancelled')
  })

  test.each([
    ['a page', new Response('<html>', { status: 200 })],
    ['not an envelope', Response.json({ hello: 1 })],
    ['an error of another form', Response.json({ data: null, error: 'no' }, { status: 400 })],
    ['success with a failing status', Response.json({ data: {}, error: null }, { status: 500 })],
    ['null', Response.json(null)],
  ])('answered by %s is an invalid answer', async (_, answer) => {
    const { call } = calling(answer, down)
    const first = await call('GET /v1/chains', {})
    expect(first.error).toMatchObject({ code: 'invalid_answer', message: 'Check baseUrl.' })
    // It was no answer of the platform: the next failure is explained too.
    const next = await call(logout, { isRepeatable: false })
    expect(next.error).toMatchObject({ code: 'network_failed', message: 'Check baseUrl.' })
  })

  test('takes data beside an error for wallet_exists only', async () => {
    const both = (code: string) =>
      Response.json({ data: { id: 'w' }, error: { code, message: 'No.' } }, { status: 409 })
    const create = (answer: Response) => calling(answer).call('POST /v1/wallets', { body: {} })
    expect((await create(both('wallet_exists'))).data).toEqual({ id: 'w' })
    expect((await create(both('process_state'))).data).toBeNull()
  })
})
