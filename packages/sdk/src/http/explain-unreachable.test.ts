import { expect, test } from 'vitest'
import { failure, type SdkError } from '../result.ts'
import { explainUnreachable } from './explain-unreachable.ts'

const baseUrl = 'https://wallets.example.com'
const failed: SdkError = failure('network_failed', 'The service could not be reached. Try again.', {
  cause: 'x',
}).error
const unread: SdkError = failure('invalid_answer', 'The service sent an unreadable answer.', {
  status: 200,
}).error
const asked: (readonly [string, string | undefined])[] = []
const down = async () => {
  throw new TypeError('Failed to fetch')
}
/** What a page gets from an address: `answer` to requests that it may read, `opaque` to those that it may not. */
const explained = (
  answer: () => Promise<Response>,
  opaque = down as () => Promise<Response>,
  error = failed,
) =>
  explainUnreachable(
    {
      baseUrl,
      publishableKey: 'pk_live_x',
      fetch: async (url, init) => {
        asked.push([String(url), init?.mode])
        return init?.mode === 'no-cors' ? opaque() : answer()
      },
    },
    error,
  )
const refusal = (code: string, message: string, status: number) => async () =>
  Response.json({ data: null, error: { code, message } }, { status })
const later = `The service at ${baseUrl} could not be reached. Try again.`
const message = `Nothing that the SDK understands answers at ${baseUrl}: check baseUrl, and that the platform runs.`

test.each([
  ['unauthorized', 'This publishable key is unknown.', 401],
  ['origin_not_allowed', 'http://shop.example is not in the allowed origins.', 403],
])('%s is the answer in place of the failure, in the platform’s own words', async (code, said, status) => {
  expect(await explained(refusal(code, said, status))).toMatchObject({ code, message: said, status })
})

test.each([
  [
    'nothing',
    down,
    down,
    /^Nothing answers there that a page may read\. Check baseUrl \(scheme, host, port, no path\)/,
  ],
  [
    'what the page may not read',
    down,
    async () => new Response(),
    /^Something answers there, but not as the/,
  ],
  ['the platform itself', async () => Response.json({ data: {}, error: null }), down, undefined],
])('where %s answers, neither key nor origin is blamed', async (_, answer, opaque, hint) => {
  const error = await explained(answer, opaque)
  expect(error).toMatchObject({
    code: 'network_failed',
    message: hint === undefined ? later : message,
    cause: 'x',
  })
  if (hint === undefined) expect(error).not.toHaveProperty('details')
  else expect((error.details as { hint: string }).hint).toMatch(hint)
  expect(JSON.stringify(error)).not.toMatch(/allowed_origins|publishable/)
})

test('what answers as something else is said to be something else, without another request', async () => {
  asked.length = 0
  const said = `What answers at ${baseUrl} is not the platform's API: check baseUrl.`
  expect(await explained(down, down, unread)).toMatchObject({ code: 'invalid_answer', message: said })
  expect(asked).toEqual([])
  expect(await explained(async () => new Response('<html>'))).toMatchObject({ message: said })
  expect(asked).toEqual([[`${baseUrl}/v1/frame?publishable_key=pk_live_x`, 'cors']])
})

test('a proxy that has lost the platform is not taken for a wrong address', async () => {
  const lost = { ...unread, status: 502 }
  expect(await explained(down, down, lost)).toEqual(lost)
})

test.each(['https://127.0.0.1:8080', 'https://localhost', 'https://[::1]:8080'])(
  'where nobody answers at %s, http is named',
  async (at) => {
    const ports = { baseUrl: at, publishableKey: 'pk_live_x', fetch: down }
    expect((await explainUnreachable(ports, failed)).message).toBe(
      `Nothing that the SDK understands answers at ${at}: check baseUrl, and that the platform runs. On this machine, it begins with http://.`,
    )
  },
)

const accepted = async () => Response.json({ data: {}, error: null })
/** What a browser gives for an answer from elsewhere, to which it was redirected. */
const from = (url: string, answer: Response) =>
  Object.defineProperties(answer, { url: { value: url }, redirected: { value: true } })

test('an address that redirects to the platform is said not to be its address', async () => {
  const there = 'https://wallets.example.net/base'
  const answer = async () => from(`${there}/v1/frame?publishable_key=x`, await accepted())
  expect((await explained(answer)).message).toBe(
    `${baseUrl} is not the platform's address, ${there} is: use that as baseUrl.`,
  )
})

test.each([
  ['http://wallets.example.com', true, true],
  ['http://wallets.example.com/base', true, true],
  // Another platform or none answers at https.
  ['http://wallets.example.com', false, false],
  // No proxy redirects a port of its own to the same port.
  ['http://127.0.0.1:8080', true, false],
])('where %s gives nothing to a page, https is tried', async (at, isThere, isNamed) => {
  const tried: string[] = []
  const secure = at.replace('http:', 'https:')
  const ports = {
    baseUrl: at,
    publishableKey: 'pk_live_x',
    fetch: async (url: unknown) => {
      tried.push(String(url))
      if (!String(url).startsWith('https:')) throw new TypeError('Failed to fetch')
      return isThere ? accepted() : new Response('<html>')
    },
  }
  const { message: said } = await explainUnreachable(ports as never, failed)
  expect(said === `${at} is not the platform's address, ${secure} is: use that as baseUrl.`).toBe(isNamed)
  expect(tried.some((url) => url.startsWith(`${secure}/v1/frame?`))).toBe(!at.includes('8080'))
})

test('what the platform does not find is its answer, and asks nothing more', async () => {
  asked.length = 0
  const missing = failure('not_found', 'No wallet.', { status: 404 }).error
  expect(await explained(down, down, missing)).toEqual(missing)
  expect(asked).toEqual([])
})
