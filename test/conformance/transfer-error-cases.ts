import { createECDH, randomUUID } from 'node:crypto'
import type { ErrorCode } from '@symbolon/api'
import { type Answer, makeTenant, makeWallet, otherCode, type Tenant } from '@symbolon/testing/app'
import { transferSteps } from '@symbolon/testing/wallets'
import type { Provoke } from './error-cases.ts'
import type { FastUser, Fixture } from './fixture.ts'

type Steps = ReturnType<typeof transferSteps>
type ErrorCases = Partial<Record<ErrorCode, Provoke>>

const newPoint = () => createECDH('prime256v1').generateKeys().toString('base64')
const key = new Uint8Array(32).fill(7)

/** Valid input for the routes of key transfers, for a process that does not exist. */
export const transferBodies: Record<string, () => Record<string, unknown>> = {
  'keyExport.complete': () => ({
    export_id: randomUUID(),
    code: '123456',
    recipient_public_key: newPoint(),
  }),
  'keyImport.complete': () => ({
    import_id: randomUUID(),
    code: '123456',
    enc: newPoint(),
    ciphertext: Buffer.alloc(48).toString('base64'),
  }),
}

/** A new user of a tenant and what they can do. */
const newcomer = async (fixture: Fixture, tenant: Tenant = fixture.tenant) => {
  const user = await fixture.newUser(tenant)
  return { user, steps: transferSteps(fixture.app, tenant, user) }
}

const as =
  (
    tenantOf: (fixture: Fixture) => Tenant,
    act: (steps: Steps, fixture: Fixture, user: FastUser) => Promise<Answer>,
  ) =>
  async (fixture: Fixture): Promise<Answer> => {
    const { user, steps } = await newcomer(fixture, tenantOf(fixture))
    return act(steps, fixture, user)
  }
const byNewcomer = (act: (steps: Steps, fixture: Fixture, user: FastUser) => Promise<Answer>) =>
  as(({ tenant }) => tenant, act)
const inClientMode = (act: (steps: Steps) => Promise<Answer>) => as(({ client }) => client, act)

/** A new user with a wallet. */
const byOwner = (act: (steps: Steps, archive: () => Promise<unknown>, fixture: Fixture) => Promise<Answer>) =>
  byNewcomer(async (steps, fixture, user) => {
    const { id } = await makeWallet(fixture.app, user)
    const archive = () => fixture.app.call('POST', `/v1/s2s/wallets/${id}/archive`, { sk: fixture.tenant.sk })
    return act(steps, archive, fixture)
  })

const withoutEmail =
  (kind: string): Provoke =>
  async ({ app, issuer }) => {
    const { pk } = await makeTenant(app, { oidc: { issuer: issuer.issuer, audience: 'app' } })
    return app.call('POST', `/v1/wallets/me/${kind}/initiate`, { pk, token: await issuer.mint('nameless') })
  }

/** Runs while the organization has other settings than the usual ones. */
async function withSettings(
  { app, tenant }: Fixture,
  { exports = true, delay = 0 }: { exports?: boolean; delay?: number },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const set = (isOn: boolean, seconds: number) =>
    app.sql`update organizations set export_enabled = ${isOn}, high_risk_delay_seconds = ${seconds} where id = ${tenant.id}`
  await set(exports, delay)
  try {
    return await run()
  } finally {
    await set(true, 0)
  }
}

const expire = ({ app }: Fixture, id: string) =>
  app.sql`update key_transfers set expires_at = app_now() where id = ${id}`

/** Runs while nobody's guesses are taken. */
async function throttled({ app }: Fixture, run: () => Promise<Answer>): Promise<Answer> {
  await app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
    values ('recovery-address:127.0.0.1', extract(epoch from app_now()) + 100000, extract(epoch from app_now()), 1, 1, 0)
    on conflict (key) do update set tat = excluded.tat`
  try {
    return await run()
  } finally {
    await app.sql`delete from rate_limits`
  }
}

async function lastOf(count: number, run: () => Promise<Answer>): Promise<Answer> {
  for (let i = 1; i < count; i++) await run()
  return run()
}

const nobodysExport = (steps: Steps) =>
  steps.post('export/complete', transferBodies['keyExport.complete']?.())
const nobodysImport = (steps: Steps) =>
  steps.post('import/complete', transferBodies['keyImport.complete']?.())

const exportStart: ErrorCases = {
  signing_mode_mismatch: inClientMode((steps) => steps.post('export/initiate')),
  invalid_curve: as(
    ({ evmOnly }) => evmOnly,
    (steps) => steps.post('export/initiate', { curve: 'ed25519' }),
  ),
  no_email: withoutEmail('export'),
  wallet_not_found: byNewcomer((steps) => steps.post('export/initiate')),
  wallet_archived: byOwner(async (steps, archive) => {
    await archive()
    return steps.post('export/initiate')
  }),
  export_disabled: byOwner((steps, _, fixture) =>
    withSettings(fixture, { exports: false }, () => steps.post('export/initiate')),
  ),
  rate_limited: byOwner((steps) => lastOf(6, () => steps.post('export/initiate'))),
}

const exportCompletion: ErrorCases = {
  signing_mode_mismatch: inClientMode(nobodysExport),
  not_found: byNewcomer(nobodysExport),
  invalid_code: byOwner(async (steps) => {
    const started = await steps.startExport()
    return steps.completeExport(started, otherCode(started.code))
  }),
  wallet_archived: byOwner(async (steps, archive) => {
    const started = await steps.startExport()
    await archive()
    return steps.completeExport(started, started.code)
  }),
  process_state: byOwner(async (steps) => {
    const started = await steps.startExport()
    return lastOf(2, () => steps.completeExport(started, started.code))
  }),
  expired: byOwner(async (steps, _, fixture) => {
    const started = await steps.startExport()
    await expire(fixture, started.id)
    return steps.completeExport(started, started.code)
  }),
  rate_limited: byOwner(async (steps, _, fixture) => {
    const started = await steps.startExport()
    return throttled(fixture, () => steps.completeExport(started, started.code))
  }),
  export_disabled: byOwner(async (steps, _, fixture) => {
    const started = await steps.startExport()
    return withSettings(fixture, { exports: false }, () => steps.completeExport(started, started.code))
  }),
  export_delayed: byOwner(async (steps, _, fixture) => {
    const started = await steps.startExport()
    return withSettings(fixture, { delay: 60 }, () => steps.completeExport(started, started.code))
  }),
  idempotency_key_spent: byOwner(async (steps) => {
    const started = await steps.startExport()
    const headers = { 'idempotency-key': randomUUID() }
    return lastOf(2, () => steps.completeExport(started, started.code, headers))
  }),
}

const importStart: ErrorCases = {
  signing_mode_mismatch: inClientMode((steps) => steps.post('import/initiate')),
  invalid_curve: as(
    ({ evmOnly }) => evmOnly,
    (steps) => steps.post('import/initiate', { curve: 'ed25519' }),
  ),
  no_email: withoutEmail('import'),
  wallet_exists: byOwner((steps) => steps.post('import/initiate')),
  rate_limited: byNewcomer((steps) => lastOf(6, () => steps.post('import/initiate'))),
}

const importCompletion: ErrorCases = {
  signing_mode_mismatch: inClientMode(nobodysImport),
  not_found: byNewcomer(nobodysImport),
  invalid_code: byNewcomer(async (steps) => {
    const started = await steps.startImport()
    return steps.completeImport(started, otherCode(started.code), started.seal(key))
  }),
  invalid_payload: byNewcomer(async (steps) => {
    const started = await steps.startImport()
    return steps.completeImport(started, started.code, started.seal(new Uint8Array(32)))
  }),
  wallet_exists: byNewcomer(async (steps, { app }, user) => {
    const started = await steps.startImport()
    await makeWallet(app, user)
    return steps.completeImport(started, started.code, started.seal(key))
  }),
  process_state: byNewcomer(async (steps) => {
    const started = await steps.startImport()
    return lastOf(2, () => steps.completeImport(started, started.code, started.seal(key)))
  }),
  expired: byNewcomer(async (steps, fixture) => {
    const started = await steps.startImport()
    await expire(fixture, started.id)
    return steps.completeImport(started, started.code, started.seal(key))
  }),
  rate_limited: byNewcomer(async (steps, fixture) => {
    const started = await steps.startImport()
    return throttled(fixture, () => steps.completeImport(started, started.code, started.seal(key)))
  }),
}

/** The error cases of the routes of key transfers. */
export const transferErrorCases: Record<string, ErrorCases> = {
  'keyExport.initiate': exportStart,
  'keyExport.complete': exportCompletion,
  'keyExport.get': {
    signing_mode_mismatch: as(
      ({ client }) => client,
      (_, { app }, user) => app.call('GET', `/v1/wallets/me/export/${randomUUID()}`, user),
    ),
  },
  'keyImport.initiate': importStart,
  'keyImport.complete': importCompletion,
}
