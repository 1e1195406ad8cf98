import { expect, test } from 'vitest'
import { frameLocation, frameUrlOf } from './frame-location.ts'

const asked: string[] = []
const platform =
  (answer: unknown, status = 200): typeof fetch =>
  async (url) => {
    asked.push(String(url))
    return new Response(JSON.stringify(answer), { status, headers: { 'content-type': 'application/json' } })
  }
const source = { baseUrl: 'https://wallets.example', publishableKey: 'pk_live_x' }
const located = (url: unknown) => platform({ data: { url }, error: null })
const refusal = (code: string, status: number) =>
  platform({ data: null, error: { code, message: 'No.' } }, status)

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
  [undefined, undefined],
])('the frame is found by its origin or by itself: %j', (location, url) => {
  expect(frameUrlOf(location)?.href).toBe(url)
})

test('the platform is asked, in the one request, where the frame is and whether it accepts the key', async () => {
  const answered = await frameLocation({ ...source, fetch: located('https://frame.example') })
  expect(answered.data?.href).toBe('https://frame.example/frame?publishable_key=pk_live_x')
  expect(asked.splice(0)).toEqual(['https://wallets.example/v1/frame?publishable_key=pk_live_x'])
})

test.each(['unauthorized', 'origin_not_allowed'])(
  'the platform’s own refusal is handed on: %s',
  async (code) => {
    const refused = await frameLocation({ ...source, fetch: refusal(code, 401) })
    expect(refused.error).toMatchObject({ code, message: 'No.', status: 401 })
  },
)

test('what does not say where the frame is, is not the platform', async () => {
  for (const fetch of [located('javascript:alert(1)'), located(7), refusal('not_found', 404)])
    expect((await frameLocation({ ...source, fetch })).error).toMatchObject({
      code: 'invalid_answer',
      message: "What answers at https://wallets.example is not the platform's API: check baseUrl.",
    })
})
