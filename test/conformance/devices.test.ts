import { login, mailTo, makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const plain = (raw: string) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')

test('the link in the email about a new device shows a page whose button ends the login', async () => {
  const tenant = await makeTenant(app)
  const { pk, token, email } = await login(app, tenant)
  const identify = () => app.call('POST', '/v1/wallets/identify', { pk, token })
  expect((await identify()).status).toBe(200)
  const mail = plain(await mailTo(app, email, 'Subject: New device logged in to your wallet'))
  const path = /\/links\/[0-9a-f]{64}/.exec(mail)?.[0] ?? ''

  const page = await fetch(app.url + path)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await page.text()).toContain('<form method="post"><button')
  // Programs that scan emails open links: the page itself changes nothing.
  expect((await identify()).status).toBe(200)

  const post = () => fetch(app.url + path, { method: 'POST', body: new URLSearchParams() })
  expect((await post()).status).toBe(200)
  expect((await identify()).error?.code).toBe('token_revoked')
  for (const again of [await post(), await fetch(app.url + path)])
    expect([again.status, await again.text()]).toEqual([
      410,
      expect.stringContaining('The device is already forgotten'),
    ])
  expect((await fetch(`${app.url}/links/${'0'.repeat(64)}`)).status).toBe(404)
  expect((await fetch(`${app.url}/links/other`)).status).toBe(404)
})

test('a malformed device header is refused, and a repeated one too', async () => {
  const { pk, token } = await login(app, await makeTenant(app))
  const identify = (device: string) =>
    app.call('POST', '/v1/wallets/identify', { pk, token, headers: { 'x-service-device': device } })
  expect((await identify('short')).error?.code).toBe('invalid_request')
  expect((await identify('a-device-of-16-chars')).status).toBe(200)
})
