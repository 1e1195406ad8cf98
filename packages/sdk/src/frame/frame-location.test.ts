import { expect, test } from 'vitest'
import { frameLocation, frameUrlOf } from './frame-location.ts'

const asked: string[] = []
const platform =
  (answer: unknown, status = 200): typeof fetch =>
  async (url) => {
    asked.push(String(url))
    return new Response(JSON.stringify(answer), { status, headers: { 'content-type': 'application/json' } })
  }
const source = { baseUrl: 'https://wallets.example', frameUrl: undefined, publishableKey: 'pk_live_x' }
const located = (url: unknown) => platform({ data: { url }, error: null })

test.each([
  ['https://frame.example', 'https://frame.example/frame'],
  ['https://frame.example/', 'https://frame.example/frame'],
  ['https://frame.example/frame', 'https://frame.example/frame'],
  ['http://127.0.0.1:8081', 'http://127.0.0.1:8081/frame'],
  ['https://frame.example/#x', 'https://frame.example/frame'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['https://user:pass@frame.example', undefined],
  ['/frame', undefined],
  ['', undefined],
])('the frame is found by its origin or by itself: %j', (location, url) => {
  expect(frameUrlOf(location)?.href).toBe(url)
})

test('the platform is asked where the frame is, unless the page says so', async () => {
  const answered = await frameLocation({ ...source, fetch: located('https://frame.example') })
  expect(answered.data?.href).toBe('https://frame.example/frame?publishable_key=pk_live_x')
  expect(asked.splice(0)).toEqual(['https://wallets.example/v1/frame'])
  const given = await frameLocation({
    ...source,
    frameUrl: 'https://own.example',
    fetch: located('https://x.test'),
  })
  expect(given.data?.href).toBe('https://own.example/frame?publishable_key=pk_live_x')
  expect(asked).toEqual([])
})

test('a platform that does not say where the frame is leaves it unreachable', async () => {
  for (const fetch of [
    located('javascript:alert(1)'),
    located(7),
    platform({ data: null, error: { code: 'not_found', message: 'Not found.' } }, 404),
  ])
    expect((await frameLocation({ ...source, fetch })).error?.code).toBe('frame_unreachable')
})
