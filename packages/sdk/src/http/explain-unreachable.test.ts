import { expect, test } from 'vitest'
import { explainUnreachable } from './explain-unreachable.ts'

const base = 'https://wallets.example.com'
const page = 'http://localhost:5173'
const up = async () => Response.json({ data: { url: base }, error: null })
const down = async () => {
  throw new TypeError('Failed to fetch')
}
const message = async (fetch: () => Promise<Response>, origin?: string) =>
  (await explainUnreachable({ baseUrl: base, fetch }, origin)).message

test('a refused page learns its origin and where to add it', async () => {
  expect(await message(up, page)).toBe(
    `${page} is not in the allowed origins of this organization. Add it under Settings, Allowed origins, in the portal (${base}/portal).`,
  )
  expect(await message(up, 'null')).toMatch(/^This page has no origin/)
})

test.each([
  ['a platform that is down', down, page],
  ['a proxy that answers for it', async () => new Response('', { status: 502 }), page],
  ['a program without an origin', up, undefined],
])('%s is not blamed on the origin, and the hint stays', async (_, fetch, origin) => {
  expect(await explainUnreachable({ baseUrl: base, fetch }, origin)).toEqual({
    hint: expect.stringContaining('allowed_origins'),
  })
})
