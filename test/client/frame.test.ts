import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameConfig } from '@symbolon/iframe/protocol'
import { builtAssets } from '@symbolon/server/testing/adapters'
import { frameHeaders } from '@symbolon/server/testing/organizations'
import { makeTenant, ownOrigin, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = `export const text = 'vault'`.repeat(100)
const style = 'p { margin: 0 }'
const sdk = 'export const createClient = () => {}'
const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

let folder: string
let app: TestApp
let shop: Tenant
let game: Tenant

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'symbolon-frame-'))
  writeFileSync(join(folder, 'vault-0a1b2c.js'), script)
  writeFileSync(join(folder, 'vault-3d4e5f.css'), style)
  writeFileSync(join(folder, 'browser.js'), sdk)
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({
      script: { file: 'vault-0a1b2c.js', integrity: hashOf(script) },
      style: { file: 'vault-3d4e5f.css', integrity: hashOf(style) },
    }),
  )
  const places = { frameFolder: folder, sdkFile: join(folder, 'browser.js') }
  app = await startTestApp({ ports: { browserAssets: builtAssets(places, 'fixed') } })
  shop = await makeTenant(app, {
    signingMode: 'client',
    allowedOrigins: ['https://shop.example', 'http://dev.shop.example:8443'],
  })
  game = await makeTenant(app, { signingMode: 'tee' })
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers, redirect: 'manual' })
const frameOf = (key: string) => get(`/frame?publishable_key=${encodeURIComponent(key)}`)
const directives = (answer: Response) =>
  Object.fromEntries(
    (answer.headers.get('content-security-policy') ?? '').split('; ').map((text) => {
      const [name = '', ...rest] = text.split(' ')
      return [name, rest.join(' ')]
    }),
  )
const configOf = (html: string): FrameConfig =>
  JSON.parse(/<script type="application\/json" id="frame-config">([^<]*)<\/script>/.exec(html)?.[1] ?? 'null')

const nothing = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
}

test('the page without its configuration is there to be hashed, and runs nowhere', async () => {
  const answer = await get('/frame/document')
  const text = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(directives(answer)).toEqual(nothing)
  for (const { pk } of [shop, game]) {
    const page = await (await frameOf(pk)).text()
    expect(page.replace(/(id="frame-config">)[^<]*/, '$1')).toBe(text)
  }
})

test('the page allows its one script and style, its own server, and the pages of its organization alone', async () => {
  const answer = await frameOf(shop.pk)
  expect(answer.status).toBe(200)
  const wanted = {
    ...nothing,
    'script-src': `${ownOrigin}/frame/assets/vault-0a1b2c.js`,
    'style-src': `${ownOrigin}/frame/assets/vault-3d4e5f.css`,
    'connect-src': `${ownOrigin}/v1/`,
    'img-src': 'data:',
    'frame-ancestors': `${ownOrigin} https://shop.example http://dev.shop.example:8443`,
  }
  expect(directives(answer)).toEqual(wanted)
  expect(directives(await frameOf(game.pk))).toEqual({ ...wanted, 'frame-ancestors': ownOrigin })
  const headers = Object.fromEntries(answer.headers)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=(), '),
  })
  // It would forbid what `frame-ancestors` allows, in browsers that look at it first.
  expect(headers).not.toHaveProperty('x-frame-options')
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test('the page names its organization to the frame, and loads only files with the stated hashes', async () => {
  const html = await (await frameOf(shop.pk)).text()
  const expected: FrameConfig = {
    api_base_url: ownOrigin,
    publishable_key: shop.pk,
    organization: {
      id: shop.id,
      name: 'Test',
      brand_color: null,
      support_email: null,
      signing_mode: 'client',
      is_confirmation_shown: true,
    },
    allowed_origins: [ownOrigin, 'https://shop.example', 'http://dev.shop.example:8443'],
    are_loopback_origins_allowed: false,
  }
  expect(configOf(html)).toEqual(expected)
  expect(html).toContain('<div id="root"></div>')
  for (const [pattern, text] of [
    [/<script type="module" src="([^"]+)" integrity="([^"]+)">/, script],
    [/<link rel="stylesheet" href="([^"]+)" integrity="([^"]+)">/, style],
  ] as const) {
    const [, path = '', integrity] = pattern.exec(html) ?? []
    expect([await (await get(path)).text(), integrity]).toEqual([text, hashOf(text)])
  }
  expect(html.match(/<script/g)).toHaveLength(2)
})

test('a change of the settings shows in the next page', async () => {
  const tenant = await makeTenant(app, { signingMode: 'client' })
  await app.app.orgs.updateSettings(
    tenant.id,
    {
      brand_color: '#a1b2c3',
      sign_confirmation: false,
      support_email: 'help@shop.example',
      allowed_origins: ['https://new.example'],
    },
    { type: 'system', id: 'test', isOwner: true },
  )
  const answer = await frameOf(tenant.pk)
  expect(directives(answer)['frame-ancestors']).toBe(`${ownOrigin} https://new.example`)
  expect(configOf(await answer.text())).toMatchObject({
    organization: {
      brand_color: '#a1b2c3',
      is_confirmation_shown: false,
      support_email: 'help@shop.example',
    },
    allowed_origins: [ownOrigin, 'https://new.example'],
  })
})

test('no name of an organization ends the configuration early, and no listed text becomes a policy', async () => {
  const tenant = await makeTenant(app, { signingMode: 'client' })
  const name = `</script><script>alert(1)</script><!--<script> "&' \u2028 ]]>`
  const hostile = [
    '*',
    'https://*.example.com',
    'https:',
    "'self' *",
    'https://a.example; script-src *',
    'https://b.example/path',
    'https://c.example,https://d.example',
    'data:',
    'null',
    'https://e.example\nX-Evil: 1',
    'https://good.example',
  ]
  await app.sql`update organizations set name = ${name}, allowed_origins = ${hostile} where id = ${tenant.id}`
  const answer = await frameOf(tenant.pk)
  const html = await answer.text()
  expect(html.match(/<script/g)).toHaveLength(2)
  expect(html.match(/<\/script/g)).toHaveLength(2)
  expect(configOf(html).organization.name).toBe(name)
  expect(configOf(html).allowed_origins).toEqual([ownOrigin, 'https://good.example'])
  expect(directives(answer)['frame-ancestors']).toBe(`${ownOrigin} https://good.example`)
  expect(directives(answer)['script-src']).toBe(`${ownOrigin}/frame/assets/vault-0a1b2c.js`)
})

describe('without a living publishable key', () => {
  test('the page is framed by nobody and carries no script', async () => {
    const answers = [
      await get('/frame'),
      await frameOf(''),
      await frameOf('pk_live_x'),
      await frameOf(shop.sk),
      await frameOf(`${shop.pk.slice(0, -1)}${shop.pk.endsWith('0') ? '1' : '0'}`),
      await get(`/frame?publishable_key=${shop.pk}&publishable_key=${game.pk}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404])
    for (const answer of answers) {
      expect(directives(answer)).toEqual(nothing)
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const html = await answer.text()
      expect(html).not.toMatch(/<script|pk_live|sk_live/)
    }
  })

  test.each([
    ['revoked', 'revoked_at = app_now()'],
    ['expired', 'expires_at = app_now()'],
  ])('that is, one that is %s, at once', async (_, change) => {
    const tenant = await makeTenant(app, { signingMode: 'client' })
    expect((await frameOf(tenant.pk)).status).toBe(200)
    await app.sql.unsafe(
      `update api_keys set ${change} where organization_id = '${tenant.id}' and type = 'publishable'`,
    )
    const answer = await frameOf(tenant.pk)
    expect([answer.status, directives(answer)]).toEqual([404, nothing])
  })
})

test('loopback pages embed it in development only, by the names that a policy has for them', () => {
  const of = (isLoopbackAllowed: boolean) =>
    frameHeaders({
      scriptUrl: 'http://127.0.0.1:1/s.js',
      styleUrl: 'http://127.0.0.1:1/s.css',
      apiUrl: 'http://127.0.0.1:2/v1/',
      allowedOrigins: ['http://[::1]:3000', 'https://a.example'],
      isLoopbackAllowed,
    })['content-security-policy']
  expect(of(false)).toContain('frame-ancestors https://a.example;')
  expect(of(true)).toContain(
    'frame-ancestors https://a.example http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:*;',
  )
})

describe('files', () => {
  test('are kept for ever under their hashed names, compressed for whoever takes that', async () => {
    const plain = await get('/frame/assets/vault-0a1b2c.js', { 'accept-encoding': 'identity' })
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(script.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    expect(await plain.text()).toBe(script)
    const gzipped = await get('/frame/assets/vault-0a1b2c.js', { 'accept-encoding': 'br, gzip' })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(await gzipped.text()).toBe(script)
    const refused = await get('/frame/assets/vault-0a1b2c.js', { 'accept-encoding': 'gzip;q=0, br' })
    expect(refused.headers.get('content-encoding')).toBeNull()
    expect((await get('/frame/assets/vault-3d4e5f.css')).headers.get('content-type')).toBe(
      'text/css; charset=utf-8',
    )
  })

  /** The path as it is, which fetch would tidy up first. */
  const rawStatus = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(app.url)
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      )
      let text = ''
      socket
        .setEncoding('utf8')
        .on('data', (chunk) => {
          text += chunk
        })
        .on('end', () => resolve(text))
        .on('error', reject)
    })

  test('of any other name are not there, however it is spelled', async () => {
    for (const name of [
      '',
      'manifest.json',
      'browser.js',
      'vault-0a1b2c.JS',
      'vault-0a1b2c.js/',
      '../manifest.json',
      '%2e%2e%2fmanifest.json',
      '..%2f..%2f..%2fetc%2fpasswd',
      '%2e%2e/%2e%2e/etc/passwd',
      '..%5cmanifest.json',
      'vault-0a1b2c.js%00',
      '%00',
      '__proto__',
      'constructor',
      '%E0%A4%A',
    ]) {
      const answer = await rawStatus(`/frame/assets/${name}`)
      expect([name, answer.slice(0, 12)]).toEqual([name, expect.stringMatching(/^HTTP\/1\.1 40[04]$/)])
      expect(answer).not.toMatch(/root:|integrity|createClient/)
    }
  })

  test('the SDK is one module for any page, and is asked for again only by its tag', async () => {
    const answer = await get('/sdk.js', { origin: 'https://anyone.example' })
    expect([answer.status, await answer.text()]).toEqual([200, sdk])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    })
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"sha384-/)
    const again = await get('/sdk.js', { 'if-none-match': `"other", ${etag}` })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get('/sdk.js', { 'if-none-match': '"other"' })).status).toBe(200)
  })
})

test('until the build is there pages say so, and nothing else suffers', async () => {
  const none = join(folder, 'none')
  const places = { frameFolder: none, sdkFile: join(none, 'browser.js') }
  const early = await startTestApp({
    installation: app,
    ports: { browserAssets: builtAssets(places, 'following') },
  })
  try {
    const frame = await fetch(`${early.url}/frame?publishable_key=${shop.pk}`)
    expect([frame.status, frame.headers.get('retry-after'), directives(frame)]).toEqual([503, '2', nothing])
    for (const path of ['/sdk.js', '/frame/document'])
      expect((await fetch(`${early.url}${path}`)).status).toBe(503)
    expect((await fetch(`${early.url}/frame/assets/vault-0a1b2c.js`)).status).toBe(404)
    expect((await fetch(`${early.url}/v1/health`)).status).toBe(200)
  } finally {
    await early.stop()
  }
})

test('no key of a page that was asked for comes into the log', () => {
  expect(app.log.lines.join('\n')).not.toMatch(/publishable_key|pk_live_/)
})
