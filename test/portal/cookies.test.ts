import {
  callAs,
  newCompany,
  ownOrigin,
  type PortalUser,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let user: PortalUser
let token: string
let path: string

beforeAll(async () => {
  app = await startTestApp()
  user = await portalUser(app)
  token = user.cookie.replace('__Host-session=', '')
  path = `/v1/orgs/${(await newCompany(app, user)).id}`
})
afterAll(() => app.stop())

const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const at = { POST: '/api-keys', PUT: '/webhook', PATCH: '', DELETE: '/webhook' }

test.each([
  ['none', undefined],
  ['null', 'null'],
  ['another site', 'https://elsewhere.example.test'],
  ['a name that ends in ours', `https://evil-${new URL(ownOrigin).host}`],
  ['a name that begins with ours', `${ownOrigin}.evil.example`],
  ['a subdomain', ownOrigin.replace('//', '//sub.')],
  ['http', ownOrigin.replace('https', 'http')],
  ['another port', `${ownOrigin}:8443`],
  ['the port spelled out', `${ownOrigin}:443`],
  ['a slash at its end', `${ownOrigin}/`],
  ['upper case', ownOrigin.toUpperCase()],
  ['two', `${ownOrigin}, ${ownOrigin}`],
  ['user info', ownOrigin.replace('//', '//a@')],
])('a change asked with this Origin is refused, and changes nothing: %s', async (_, origin) => {
  const headers = { cookie: user.cookie, ...(origin !== undefined && { origin }) }
  for (const method of unsafe) {
    const answer = await app.call(method, `${path}${at[method]}`, { headers, json: { name: 'Taken over' } })
    expect({ method, status: answer.status, code: answer.error?.code }).toEqual({
      method,
      status: 403,
      code: 'origin_not_allowed',
    })
  }
  const { data } = await callAs(app, user, ['GET', path])
  expect(data['name']).toBe('Company')
})

test('reading needs no Origin, and no other page may read along', async () => {
  for (const origin of [undefined, 'null', 'https://elsewhere.example.test']) {
    const headers = { cookie: user.cookie, ...(origin !== undefined && { origin }) }
    const { status, headers: sent } = await app.call('GET', path, { headers })
    expect(status).toBe(200)
    expect([...sent.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test('a preflight allows nothing on the portal', async () => {
  const preflight = await app.call('OPTIONS', path, {
    headers: { origin: 'https://elsewhere.example.test', 'access-control-request-method': 'PATCH' },
  })
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test.each([
  ['no cookie', () => undefined],
  ['the name without its prefix', () => `session=${token}`],
  ['another prefix', () => `__Secure-session=${token}`],
  ['another case', () => `__host-session=${token}`],
  ['the cookie of a login', () => `__Host-login=${token}`],
  ['quotes', () => `__Host-session="${token}"`],
  ['two of them', () => `__Host-session=${token}; __Host-session=${token}`],
  ['a second, foreign one', () => `__Host-session=${'a'.repeat(43)}; __Host-session=${token}`],
  ['a token that nobody has', () => `__Host-session=${'a'.repeat(43)}`],
  ['a part of the token', () => `__Host-session=${token.slice(0, -1)}`],
  ['no token', () => '__Host-session='],
  ['an altered token', () => `__Host-session=${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`],
  ['a name inside of another', () => `x__Host-session=${token}`],
])('this is nobody: %s', async (_, cookie) => {
  const text = cookie()
  const headers = { origin: ownOrigin, ...(text !== undefined && { cookie: text }) }
  expect(await app.call('GET', path, { headers })).toMatchObject({
    status: 401,
    error: { code: 'unauthorized' },
  })
})

test('no other credential opens the portal, and the session opens nothing else', async () => {
  const asBearer = await app.call('GET', path, { token })
  expect(asBearer.status).toBe(401)
  const { data: key } = await callAs<{ key: string }>(app, user, [
    'POST',
    `${path}/api-keys`,
    { name: 'key', type: 'secret' },
  ])
  expect((await app.call('GET', path, { sk: key.key })).status).toBe(401)
  for (const other of ['/v1/s2s/wallets', '/v1/wallets/me', '/v1/chains'])
    expect((await callAs(app, user, ['GET', other])).status).toBe(401)
})

test('further cookies beside the session do no harm', async () => {
  const headers = { cookie: `theme=dark; ${user.cookie}; a=b` }
  expect((await app.call('GET', path, { headers })).status).toBe(200)
})
