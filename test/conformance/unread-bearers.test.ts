import { makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

const shop = 'https://shop.example.test'
let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { allowedOrigins: [shop] })
})
afterAll(() => app.stop())

const bearers: [string, string | undefined][] = [
  ['no bearer', undefined],
  ['another scheme', 'Basic YTpi'],
  ['a bearer that is not a token', 'Bearer nonsense'],
  ['a token of nobody', 'Bearer e30.e30.e30'],
  ['a bearer that is too long', `Bearer ${'x'.repeat(8_300)}`],
]

/** Asks as a page of the origin does. */
const ask = (origin: string, authorization: string | undefined) =>
  app.call('GET', '/v1/wallets/me/all', {
    pk: tenant.pk,
    headers: { origin, ...(authorization !== undefined && { authorization }) },
  })

test.each(bearers)('a page may read that it is not let in with %s', async (_, authorization) => {
  const { status, error, headers } = await ask(shop, authorization)
  expect([status, error?.code]).toEqual([401, 'unauthorized'])
  expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([shop, 'Origin'])
})

test.each(bearers)('a page of another origin gets its error, with %s too', async (_, authorization) => {
  const { status, error, headers } = await ask('https://elsewhere.example.test', authorization)
  expect([status, error?.code]).toEqual([403, 'origin_not_allowed'])
  expect(headers.get('access-control-allow-origin')).toBeNull()
})
