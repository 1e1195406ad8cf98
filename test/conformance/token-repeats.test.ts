import { randomUUID } from 'node:crypto'
import { login, makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { type OidcIssuer, startOidcIssuer } from '@symbolon/testing/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let app: TestApp
let provider: OidcIssuer

beforeAll(async () => {
  app = await startTestApp()
  provider = await startOidcIssuer()
})
afterAll(async () => {
  await provider.stop()
  await app.stop()
})

/** Two logins of one user. */
async function twoTokens(mode: 'service' | 'oidc'): Promise<{ pk: string; tokens: [string, string] }> {
  if (mode === 'oidc') {
    const { pk } = await makeTenant(app, { oidc: { issuer: provider.issuer, audience: 'app' } })
    const mint = () => provider.mint('carol', { jti: randomUUID() })
    return { pk, tokens: [await mint(), await mint()] }
  }
  const tenant = await makeTenant(app)
  const { token, email } = await login(app, tenant)
  return { pk: tenant.pk, tokens: [token, (await login(app, tenant, email)).token] }
}

describe.each(['service', 'oidc'] as const)('an idempotency key of a user of mode %s', (mode) => {
  test('counts for one token: a logout with it ends each token it comes with', async () => {
    const { pk, tokens } = await twoTokens(mode)
    const headers = { 'idempotency-key': randomUUID() }
    for (const token of tokens) {
      const out = await app.call('POST', '/v1/wallets/me/logout', { pk, token, headers })
      expect([out.status, out.headers.get('idempotent-replayed')]).toEqual([204, null])
      const { error } = await app.call('POST', '/v1/wallets/identify', { pk, token })
      expect(error?.code).toBe('token_revoked')
    }
  })

  test('answers nobody a signature that another login of theirs was given', async () => {
    const { pk, tokens } = await twoTokens(mode)
    const headers = { 'idempotency-key': randomUUID() }
    await app.call('POST', '/v1/wallets', { pk, token: tokens[0], json: { curve: 'secp256k1' } })
    const sign = (token: string) =>
      app.call('POST', '/v1/wallets/me/sign', {
        pk,
        token,
        headers,
        json: { type: 'message', message: 'hi' },
      })
    const replayed = []
    for (const token of [tokens[0], tokens[0], tokens[1]]) {
      const { status, headers: got } = await sign(token)
      replayed.push([status, got.get('idempotent-replayed')])
    }
    expect(replayed).toEqual([
      [200, null],
      [200, 'true'],
      [200, null],
    ])
  })
})

test('one token that two organizations take repeats in each its own answers only', async () => {
  const oidc = { issuer: provider.issuer, audience: 'app' }
  const token = await provider.mint('dora', { jti: randomUUID() })
  const headers = { 'idempotency-key': randomUUID() }
  for (const { pk } of [await makeTenant(app, { oidc }), await makeTenant(app, { oidc })]) {
    const made = await app.call('POST', '/v1/wallets', { pk, token, headers, json: { curve: 'secp256k1' } })
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null])
  }
})
