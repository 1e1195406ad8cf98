import { randomBytes } from 'node:crypto'
import type { NetworkName, Wallet, WalletWithIdentity } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { StoredKey } from '@symbolon/server/testing/organizations'
import { mailedCode, mailsTo } from './mails.ts'
import type { TestApp } from './test-app.ts'

/** An organization with a key of each kind. */
export type Tenant = {
  id: string
  pk: string
  /** A secret key of scope `full`, and its id. */
  sk: string
  keyId: string
  /** A secret key of scope `read`. */
  readKey: string
}

export type TenantOptions = {
  signingMode?: 'client' | 'tee'
  supportedNetworks?: readonly NetworkName[]
  allowedOrigins?: readonly string[]
  oidc?: { issuer: string; audience: string }
}

/** Makes an organization through the feature that makes them, with its keys. */
export async function makeTenant({ app, sql }: TestApp, options: TenantOptions = {}): Promise<Tenant> {
  const { oidc, signingMode = 'tee', ...rest } = options
  const slug = `t-${randomBytes(8).toString('hex')}`
  const { id } = await app.orgs.create({ name: 'Test', slug, signingMode, ...rest })
  if (oidc !== undefined) {
    await sql`update organizations set auth_mode = 'oidc', oidc_issuer = ${oidc.issuer}, oidc_audience = ${oidc.audience}
      where id = ${id}`
  }
  // Every test logs in from one address; what bounds it there has tests of its own.
  await sql`update organizations set trusted_clients = array['127.0.0.1/32', '::1/128']::inet[] where id = ${id}`
  const none = { name: 'test', ipAllowlist: [], expiresAt: null }
  const publishable = await app.orgs.mintKey(id, { ...none, type: 'publishable', scope: null })
  const full = await app.orgs.mintKey(id, { ...none, type: 'secret', scope: 'full' })
  const read = await app.orgs.mintKey(id, { ...none, type: 'secret', scope: 'read' })
  return { id, pk: publishable.key, sk: full.key, keyId: full.id, readKey: read.key }
}

/** Mints a further secret key. */
export async function mintSecretKey(
  { app }: TestApp,
  tenant: Tenant,
  options: Partial<Pick<StoredKey, 'scope' | 'ipAllowlist' | 'expiresAt'>> = {},
) {
  return app.orgs.mintKey(tenant.id, {
    name: 'test',
    type: 'secret',
    scope: 'full',
    ipAllowlist: [],
    expiresAt: null,
    ...options,
  })
}

/** A user who has logged in by an emailed code. */
export type User = { pk: string; token: string; id: string; email: string }

/** Logs a user in as a browser does: code by email, code for token. */
export async function login(
  app: TestApp,
  { pk }: Tenant,
  email = `u-${randomBytes(6).toString('hex')}@example.test`,
): Promise<User> {
  const before = mailsTo(app, email).length
  const started = await app.call('POST', '/v1/wallets/auth/email-otp/start', { pk, json: { email } })
  if (started.status !== 204) throw new Error(`The login answered ${started.text}`)
  const code = await mailedCode(app, email, before)
  const { data, text } = await app.call<{ token: string; user_identity_id: string }>(
    'POST',
    '/v1/wallets/auth/email-otp/verify',
    { pk, json: { email, code } },
  )
  if (data === null) throw new Error(`The code answered ${text}`)
  return { pk, token: data.token, id: data.user_identity_id, email }
}

/** Creates the user's own wallet. */
export async function makeWallet(
  app: TestApp,
  { pk, token }: User,
  curve: Curve = 'secp256k1',
): Promise<Wallet> {
  const made = await app.call<Wallet>('POST', '/v1/wallets', { pk, token, json: { curve } })
  if (made.status !== 201) throw new Error(`The creation answered ${made.text}`)
  return made.data
}

/** Creates a wallet the backend's way, for a user who has never logged in. */
export async function makeWalletFor(
  app: TestApp,
  { sk }: Tenant,
  curve: Curve = 'secp256k1',
  email = `u-${randomBytes(6).toString('hex')}@example.test`,
): Promise<WalletWithIdentity> {
  const made = await app.call<WalletWithIdentity>('POST', '/v1/s2s/wallets', { sk, json: { email, curve } })
  if (made.status !== 201) throw new Error(`The creation answered ${made.text}`)
  return made.data
}

/** Empties the buckets: what was counted by one test does not bind the next. */
export async function forgetRates({ sql }: TestApp): Promise<void> {
  await sql`delete from rate_limits`
}

/** Stops the clock of limits and expiries, of all processes of the installation, at a moment (ms since the epoch). */
export async function stopClock({ sql }: TestApp, atMs: number): Promise<void> {
  await sql.unsafe(`create or replace function app_now() returns timestamptz language sql volatile as
    'select to_timestamp(${atMs / 1000})'`)
}

/** Lets the clock run again. */
export async function startClock({ sql }: TestApp): Promise<void> {
  await sql.unsafe(
    `create or replace function app_now() returns timestamptz language sql volatile as 'select clock_timestamp()'`,
  )
}

/** Lets every call pass: for tests that make thousands of them with one credential. */
export async function liftRates({ sql }: Pick<TestApp, 'sql'>): Promise<void> {
  await sql.unsafe(`create or replace function acquire_rate_limits(keys text[], counts integer[], periods double precision[], bursts integer[],
    weights jsonb default null)
    returns table (key text, granted integer, remaining integer, retry_seconds double precision, reset_seconds double precision)
    language sql as 'select k, n, 1, 0::float8, 0::float8 from unnest(keys, counts) as t(k, n)'`)
}
