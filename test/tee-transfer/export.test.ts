import { createECDH, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditEventTypes } from '@symbolon/api'
import {
  forgetRates,
  login,
  mailTo,
  makeTenant,
  makeWallet,
  otherCode,
  startClock,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import {
  archiveText,
  clockText,
  holdOrganization,
  makeClockMovable,
  untilWaiting,
} from '@symbolon/testing/database'
import { outcome, publicKeyOf, transferSteps } from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app)
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})
afterEach(async () => {
  await startClock(app)
  await forgetRates(app)
})

async function owner(curve: 'secp256k1' | 'ed25519' = 'secp256k1') {
  const user = await login(app, tenant)
  const wallet = await makeWallet(app, user, curve)
  return { user, wallet, steps: transferSteps(app, tenant, user) }
}

const exported = auditEventTypes.indexOf('wallet.exported')

/** Outcomes of exports in the audit log, oldest first. */
const events = async (walletId: string) => {
  const rows = await app.sql`
    select success, error_code from audit_events where wallet_id = ${walletId} and type = ${exported} order by n`
  return rows.map((row) => (row['success'] ? 'ok' : row['error_code']))
}

test.each(['secp256k1', 'ed25519'] as const)(
  'a %s key is exported to its owner: it makes the public key of the wallet, and an email and the log report it',
  async (curve) => {
    const { user, wallet, steps } = await owner(curve)
    const started = await steps.startExport(curve)
    expect(Date.parse(started.expiresAt) - Date.now()).toBeGreaterThan(590_000)
    const answer = await steps.completeExport(started, started.code)
    expect({ status: answer.status, ...answer.data }).toEqual({
      status: 200,
      wallet_id: wallet.id,
      curve,
      enc: expect.any(String),
      ciphertext: expect.any(String),
    })
    const key = steps.openExport(started, answer)
    expect(key).toHaveLength(32)
    expect(publicKeyOf(curve, key)).toBe(wallet.public_key)
    expect(await events(wallet.id)).toEqual(['ok'])

    const notice = await mailTo(app, user.email, 'Subject: The private key of your wallet was exported')
    expect(notice).toContain(wallet.address)
    expect(notice).toMatch(/\d{4}-\d\d-\d\d\s+\d\d:\d\d UTC/)
    const texts = JSON.stringify([app.log, app.mailServer.mails, app.enclaveProcess.lines])
    for (const encoding of ['hex', 'base64'] as const) expect(texts).not.toContain(key.toString(encoding))

    // The wallet is what it was: it still signs.
    const json = { type: 'message', message: 'after', curve }
    expect((await app.call('POST', '/v1/wallets/me/sign', { ...user, json })).status).toBe(200)
  },
)

test('the sealed key opens for this wallet of this user only, and for no other recipient', async () => {
  const { steps } = await owner()
  const started = await steps.startExport()
  const answer = await steps.completeExport(started, started.code)
  for (const change of [
    { walletId: randomUUID() },
    { userIdentityId: randomUUID() },
    { organizationId: randomUUID() },
    { curve: 'ed25519' as const },
  ]) {
    expect(() => steps.openExport(started, answer, change)).toThrow()
  }
  const other = createECDH('prime256v1')
  other.generateKeys()
  expect(() => steps.openExport({ recipient: other }, answer)).toThrow()
})

test('a recipient that is not a point of P-256 costs no guess and gets nothing', async () => {
  const { steps, wallet } = await owner()
  const started = await steps.startExport()
  const point = Buffer.from(started.recipient.getPublicKey())
  const off = Buffer.from(point)
  off[64] = (off[64] ?? 0) ^ 1
  const hybrid = Buffer.from(point)
  hybrid[0] = 6 + ((point[64] ?? 0) & 1)
  const bad = [off, hybrid, Buffer.alloc(65), createECDH('secp256k1').generateKeys(), point.subarray(0, 64)]
  for (const bytes of [...bad, point.subarray(1), started.recipient.getPublicKey(null, 'compressed')]) {
    const recipient = { getPublicKey: () => Buffer.from(bytes) }
    const answer = await steps.completeExport({ ...started, recipient }, started.code)
    expect(outcome(answer)).toBe('400 invalid_request')
  }
  expect((await steps.completeExport(started, started.code)).status).toBe(200)
  expect(await events(wallet.id)).toEqual(['ok'])
})

test('of 64 wrong codes at once, at two processes, five are compared; then the right one comes too late', async () => {
  const { user, wallet, steps } = await owner()
  const elsewhere = transferSteps({ ...second, mailServer: app.mailServer }, tenant, user)
  const started = await steps.startExport()
  const wrong = otherCode(started.code)
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? steps : elsewhere).completeExport(started, wrong)),
  )
  const outcomes = answers.map(outcome)
  expect(outcomes.filter((one) => one === '401 invalid_code')).toHaveLength(5)
  expect(outcomes.filter((one) => one === '409 process_state')).toHaveLength(59)
  expect(outcome(await steps.completeExport(started, started.code))).toBe('409 process_state')
  expect(await events(wallet.id)).toEqual(Array(5).fill('invalid_code'))
})

test('of 64 right codes at once, at two processes, one is answered', async () => {
  const { user, wallet, steps } = await owner()
  const elsewhere = transferSteps({ ...second, mailServer: app.mailServer }, tenant, user)
  const started = await steps.startExport()
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      (i % 2 === 0 ? steps : elsewhere).completeExport(started, started.code),
    ),
  )
  expect(answers.map(outcome).sort()).toEqual(['200', ...Array(63).fill('409 process_state')])
  expect((await events(wallet.id)).filter((one) => one === 'ok')).toEqual(['ok'])
  expect(outcome(await steps.completeExport(started, started.code))).toBe('409 process_state')
})

test('a new start ends the earlier one, and ten minutes end it too', async () => {
  const { steps } = await owner()
  const first = await steps.startExport()
  const next = await steps.startExport()
  expect(outcome(await steps.completeExport(first, first.code))).toBe('410 expired')
  if (first.code !== next.code)
    expect(outcome(await steps.completeExport(next, first.code))).toBe('401 invalid_code')
  await app.sql`update key_transfers set expires_at = app_now() where id = ${next.id}`
  expect(outcome(await steps.completeExport(next, next.code))).toBe('410 expired')
})

test('five starts in fifteen minutes and ten in a day are the most, also at once and over two processes', async () => {
  const { user, steps } = await owner()
  const elsewhere = transferSteps({ ...second, mailServer: app.mailServer }, tenant, user)
  const burst = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? steps : elsewhere).post('export/initiate')),
  )
  expect(burst.map(outcome).sort()).toEqual([...Array(5).fill('200'), ...Array(7).fill('429 rate_limited')])
  const age = () =>
    app.sql`update key_transfers set created_at = created_at - interval '15 minutes' where user_identity_id = ${user.id}`
  await age()
  for (const remaining of ['4', '3', '2', '1', '0']) {
    const started = await steps.post('export/initiate')
    expect([started.status, started.headers.get('ratelimit-remaining')]).toEqual([200, remaining])
  }
  await age()
  expect(outcome(await steps.post('export/initiate'))).toBe('429 rate_limited')
  // The caps are of this kind and curve.
  await makeWallet(app, user, 'ed25519')
  expect((await steps.post('export/initiate', { curve: 'ed25519' })).status).toBe(200)
})

test('a login code and the code of another export open nothing, and an export code is not a login', async () => {
  const { user, steps } = await owner()
  const started = await steps.startExport()
  const { steps: others } = await owner()
  const foreign = await others.startExport()
  if (foreign.code !== started.code)
    expect(outcome(await steps.completeExport(started, foreign.code))).toBe('401 invalid_code')
  const json = { email: user.email, code: started.code }
  const verified = await app.call('POST', '/v1/wallets/auth/email-otp/verify', { pk: tenant.pk, json })
  expect(outcome(verified)).toBe('401 invalid_code')
  // The id of an export is not one of an import.
  const sealed = {
    enc: started.recipient.getPublicKey().toString('base64'),
    ciphertext: Buffer.alloc(48).toString('base64'),
  }
  expect(outcome(await steps.completeImport(started, started.code, sealed))).toBe('404 not_found')
  expect((await steps.completeExport(started, started.code)).status).toBe(200)
})

test('a process belongs to its user: for anybody else it is not there', async () => {
  const { steps } = await owner()
  const started = await steps.startExport()
  const { steps: stranger } = await owner()
  const elsewhere = await makeTenant(app)
  const foreign = transferSteps(app, elsewhere, await login(app, elsewhere))
  for (const other of [stranger, foreign])
    expect(outcome(await other.completeExport(started, started.code))).toBe('404 not_found')
  expect(outcome(await foreign.post('export/initiate'))).toBe('404 wallet_not_found')
  expect((await steps.completeExport(started, started.code)).status).toBe(200)
})

test('a client organization exports in the browser: here it is refused', async () => {
  const client = await makeTenant(app, { signingMode: 'client' })
  const steps = transferSteps(app, client, await login(app, client))
  expect(outcome(await steps.post('export/initiate'))).toBe('400 signing_mode_mismatch')
  const recipient = createECDH('prime256v1')
  recipient.generateKeys()
  const answer = await steps.completeExport({ id: randomUUID(), recipient }, '123456')
  expect(outcome(answer)).toBe('400 signing_mode_mismatch')
})

test('an archived wallet is not exported, at any step, and the right code stays usable', async () => {
  const { steps, wallet } = await owner()
  const set = (verb: string) => app.call('POST', `/v1/s2s/wallets/${wallet.id}/${verb}`, { sk: tenant.sk })
  const started = await steps.startExport()
  await set('archive')
  expect(outcome(await steps.post('export/initiate'))).toBe('409 wallet_archived')
  expect(outcome(await steps.completeExport(started, started.code))).toBe('409 wallet_archived')
  await set('unarchive')
  expect((await steps.completeExport(started, started.code)).status).toBe(200)
})

test.each([
  ['a wallet that is archived', '409 wallet_archived', (id: string) => archiveText(tenant.id, id)],
  ['a login that ends', '401 token_expired', () => clockText(1.01)],
])('%s while the key is on its way keeps it here', async (_, wanted, change) => {
  const { steps, wallet } = await owner()
  const started = await steps.startExport()
  // Its process would be over too: only the guard is meant.
  await app.sql`update key_transfers set expires_at = expires_at + interval '1 day' where id = ${started.id}`
  await makeClockMovable(app)
  const release = await holdOrganization(app, tenant.id)
  const answer = steps.completeExport(started, started.code)
  await untilWaiting(app)
  await release(change(wallet.id))
  expect(outcome(await answer)).toBe(wanted)
  await startClock(app)
  await app.sql`select set_wallet_status(${tenant.id}, ${wallet.id}, 'active')`
  expect((await events(wallet.id)).at(-1)).toBe(wanted.slice(4))
  expect((await steps.completeExport(started, started.code)).status).toBe(200)
})

test('an enclave that dies over the key answers 503 and spends nothing: the same code works once it is back', async () => {
  const { steps, wallet } = await owner()
  const started = await steps.startExport()
  const pid = app.enclaveProcess.supervisor.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  const waiting = steps.completeExport(started, started.code)
  while ((await attemptsOf(started.id)) === 0) await sleep(5)
  // Time for the request to reach the enclave, which stands still and shows nothing.
  await sleep(100)
  process.kill(pid, 'SIGKILL')
  expect(outcome(await waiting)).toBe('503 unavailable')
  expect(await attemptsOf(started.id)).toBe(0)
  let again = await steps.completeExport(started, started.code)
  for (let i = 0; i < 50 && again.status === 503; i++)
    again = await steps.completeExport(started, started.code)
  expect(outcome(again)).toBe('200')
  expect(await events(wallet.id)).toEqual(['ok'])
})

const attemptsOf = async (id: string) => {
  const [row] = await app.sql`select attempts from key_transfers where id = ${id}`
  return row?.['attempts']
}

test('a repeated idempotency key never answers the key twice', async () => {
  const { steps } = await owner()
  const started = await steps.startExport()
  const headers = { 'idempotency-key': randomUUID() }
  expect((await steps.completeExport(started, started.code, headers)).status).toBe(200)
  expect(outcome(await steps.completeExport(started, started.code, headers))).toBe(
    '409 idempotency_key_spent',
  )
})
