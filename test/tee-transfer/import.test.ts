import { randomBytes, randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { auditEventTypes, type Wallet } from '@symbolon/api'
import { importKeyBinding, keyTransferInfo, uuidToBytes } from '@symbolon/crypto'
import { attestedEnclave } from '@symbolon/crypto/attestation'
import { walletAddresses } from '@symbolon/networks/testing/by-intent'
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
  type User,
} from '@symbolon/testing/app'
import { clockText, holdOrganization, makeClockMovable, untilWaiting } from '@symbolon/testing/database'
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

const imported = auditEventTypes.indexOf('wallet.imported')
const curves = ['secp256k1', 'ed25519'] as const
const newKey = () => secp256k1.utils.randomSecretKey()

async function owner() {
  const user = await login(app, tenant)
  return { user, steps: transferSteps(app, tenant, user) }
}

/** Outcomes of imports of a user in the audit log, oldest first. */
const events = async (user: User) => {
  const rows = await app.sql`
    select success, error_code from audit_events where user_identity_id = ${user.id} and type = ${imported} order by n`
  return rows.map((row) => (row['success'] ? 'ok' : row['error_code']))
}

const walletsOf = async (user: User) => (await app.call<Wallet[]>('GET', '/v1/wallets/me/all', user)).data

test.each(curves)(
  'a %s key becomes the wallet that was promised: it signs, and exports as it came',
  async (curve) => {
    const { user, steps } = await owner()
    const key = newKey()
    const started = await steps.startImport(curve)
    const made = await steps.completeImport(started, started.code, started.seal(key))
    const wallet = made.data as unknown as Wallet
    const publicKey = publicKeyOf(curve, key)
    expect(made.status).toBe(201)
    expect(wallet).toMatchObject({
      id: started.transfer.walletId,
      user_identity_id: user.id,
      curve,
      public_key: publicKey,
      addresses: walletAddresses(curve, Buffer.from(publicKey.slice(2), 'hex')),
      status: 'active',
      signing_mode: 'tee',
      polynomial_version: 1,
    })
    expect(await walletsOf(user)).toEqual([wallet])
    expect(await events(user)).toEqual(['ok'])
    const json = { type: 'message', message: 'hello', curve }
    expect((await app.call('POST', '/v1/wallets/me/sign', { ...user, json })).status).toBe(200)

    const back = await steps.startExport(curve)
    const exported = steps.openExport(back, await steps.completeExport(back, back.code))
    expect(exported).toEqual(Buffer.from(key))

    const notice = await mailTo(app, user.email, 'Subject: A private key was imported as your wallet')
    expect(notice).toContain(wallet.address)
  },
)

test('the attestation document binds the key of the enclave to the wallet to come', async () => {
  const { steps } = await owner()
  const { attestation, transfer, enclaveKey } = await steps.startImport()
  const challenge = {
    nonce: uuidToBytes(transfer.walletId),
    userData: importKeyBinding(transfer),
    now: Date.now(),
    publicKeyBytes: 65,
  }
  const { policy } = app.enclaveProcess
  expect((await attestedEnclave(attestation, policy, challenge)).publicKey).toEqual(enclaveKey)
  const otherUser = { ...transfer, userIdentityId: randomUUID() }
  for (const change of [
    { nonce: randomBytes(16) },
    { userData: importKeyBinding(otherUser) },
    { publicKeyBytes: 32 },
  ]) {
    await expect(attestedEnclave(attestation, policy, { ...challenge, ...change })).rejects.toThrow()
  }
})

test('a key that is sealed to anything else does not open, costs no guess, and the right one still comes in', async () => {
  const { user, steps } = await owner()
  const key = newKey()
  const started = await steps.startImport()
  const other = await (await owner()).steps.startImport()
  const good = started.seal(key)
  const flipped = Buffer.from(good.ciphertext, 'base64')
  flipped[0] = (flipped[0] ?? 0) ^ 1
  for (const sealed of [
    other.seal(key),
    started.seal(key, { walletId: randomUUID() }),
    started.seal(key, { userIdentityId: randomUUID() }),
    started.seal(key, { organizationId: randomUUID() }),
    started.seal(key, { curve: 'ed25519' }),
    started.seal(key, {}, keyTransferInfo.export),
    { ...good, ciphertext: flipped.toString('base64') },
    { ...good, enc: Buffer.alloc(65, 4).toString('base64') },
    { ...good, enc: other.seal(key).enc },
  ]) {
    expect(outcome(await steps.completeImport(started, started.code, sealed))).toBe('400 invalid_payload')
  }
  expect(await walletsOf(user)).toEqual([])
  expect((await steps.completeImport(started, started.code, good)).status).toBe(201)
})

test('only numbers from 1 to n - 1 are secp256k1 keys, not n', async () => {
  const { n } = secp256k1.Point.CURVE()
  const bytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  const { user, steps } = await owner()
  const started = await steps.startImport()
  for (const bad of [0n, n, n + 1n, 2n ** 256n - 1n]) {
    const answer = await steps.completeImport(started, started.code, started.seal(bytes(bad)))
    expect(outcome(answer)).toBe('400 invalid_payload')
  }
  expect((await steps.completeImport(started, started.code, started.seal(bytes(n - 1n)))).status).toBe(201)
  expect(await walletsOf(user)).toHaveLength(1)
  const { steps: others } = await owner()
  const one = await others.startImport()
  const made = await others.completeImport(one, one.code, one.seal(bytes(1n)))
  expect((made.data['addresses'] as Record<string, string>)['evm']).toBe(
    '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  )
})

test('of 64 wrong codes at once five are compared; then the right one comes too late', async () => {
  const { user, steps } = await owner()
  const elsewhere = transferSteps({ ...second, mailServer: app.mailServer }, tenant, user)
  const started = await steps.startImport()
  const wrong = otherCode(started.code)
  const sealed = started.seal(newKey())
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      (i % 2 === 0 ? steps : elsewhere).completeImport(started, wrong, sealed),
    ),
  )
  const outcomes = answers.map(outcome)
  expect(outcomes.filter((one) => one === '401 invalid_code')).toHaveLength(5)
  expect(outcomes.filter((one) => one === '409 process_state')).toHaveLength(59)
  expect(outcome(await steps.completeImport(started, started.code, sealed))).toBe('409 process_state')
  expect(await events(user)).toEqual(Array(5).fill('invalid_code'))
  expect(await walletsOf(user)).toEqual([])
})

test('of 64 right codes with keys of their own, at two processes, one makes the wallet, with its key', async () => {
  const { user, steps } = await owner()
  const elsewhere = transferSteps({ ...second, mailServer: app.mailServer }, tenant, user)
  const started = await steps.startImport()
  const keys = Array.from({ length: 64 }, newKey)
  const answers = await Promise.all(
    keys.map((key, i) =>
      (i % 2 === 0 ? steps : elsewhere).completeImport(started, started.code, started.seal(key)),
    ),
  )
  const outcomes = answers.map(outcome)
  expect(outcomes.filter((one) => one === '201')).toHaveLength(1)
  expect(outcomes.filter((one) => !/^201$|^409 (process_state|wallet_exists)$/.test(one))).toEqual([])
  const [wallet, ...more] = await walletsOf(user)
  expect(more).toEqual([])
  expect(wallet?.public_key).toBe(publicKeyOf('secp256k1', keys[outcomes.indexOf('201')] ?? new Uint8Array()))
})

test('an import and a creation at once make one wallet', async () => {
  for (let round = 0; round < 8; round++) {
    const { user, steps } = await owner()
    const started = await steps.startImport()
    const sealed = started.seal(newKey())
    const answers = await Promise.all([
      steps.completeImport(started, started.code, sealed),
      app.call('POST', '/v1/wallets', { ...user, json: {} }),
    ])
    expect(answers.map(outcome).sort()).toEqual(['201', '409 wallet_exists'])
    const [wallet, ...more] = await walletsOf(user)
    expect(more).toEqual([])
    for (const { data } of answers) expect(data).toEqual(wallet)
    // An import that lost did not happen.
    const [transfer] = await app.sql`select state from key_transfers where id = ${started.id}`
    expect(transfer?.['state']).toBe(answers[0]?.status === 201 ? 'completed' : 'open')
  }
})

test('a user with a wallet of the curve cannot import, and learns which it is; the other curve is free', async () => {
  const { user, steps } = await owner()
  const started = await steps.startImport()
  const wallet = await makeWallet(app, user)
  const [again, late] = [
    await steps.post('import/initiate'),
    await steps.completeImport(started, started.code, started.seal(newKey())),
  ]
  for (const answer of [again, late]) {
    expect(outcome(answer)).toBe('409 wallet_exists')
    expect(answer.data).toEqual(wallet)
  }
  expect((await steps.post('import/initiate', { curve: 'ed25519' })).status).toBe(200)
})

test('an import code opens no export and no login, nor does a code of another purpose open an import', async () => {
  const { user, steps } = await owner()
  await makeWallet(app, user, 'ed25519')
  const started = await steps.startImport()
  const leaving = await steps.startExport('ed25519')
  const sealed = started.seal(newKey())
  if (leaving.code !== started.code) {
    expect(outcome(await steps.completeImport(started, leaving.code, sealed))).toBe('401 invalid_code')
    expect(outcome(await steps.completeExport(leaving, started.code))).toBe('401 invalid_code')
  }
  expect(outcome(await steps.completeExport({ ...leaving, id: started.id }, started.code))).toBe(
    '404 not_found',
  )
  const json = { email: user.email, code: started.code }
  const verified = await app.call('POST', '/v1/wallets/auth/email-otp/verify', { pk: tenant.pk, json })
  expect(outcome(verified)).toBe('401 invalid_code')
  expect((await steps.completeImport(started, started.code, sealed)).status).toBe(201)
})

test('a process belongs to its user: for anybody else it is not there', async () => {
  const { steps } = await owner()
  const started = await steps.startImport()
  const sealed = started.seal(newKey())
  const elsewhere = await makeTenant(app)
  const foreign = transferSteps(app, elsewhere, await login(app, elsewhere))
  for (const other of [(await owner()).steps, foreign])
    expect(outcome(await other.completeImport(started, started.code, sealed))).toBe('404 not_found')
  expect((await steps.completeImport(started, started.code, sealed)).status).toBe(201)
})

test('a client organization imports in the browser: here it is refused', async () => {
  const client = await makeTenant(app, { signingMode: 'client' })
  const steps = transferSteps(app, client, await login(app, client))
  expect(outcome(await steps.post('import/initiate'))).toBe('400 signing_mode_mismatch')
  const sealed = { enc: Buffer.alloc(65).toString('base64'), ciphertext: Buffer.alloc(48).toString('base64') }
  const answer = await steps.completeImport({ id: randomUUID() }, '123456', sealed)
  expect(outcome(answer)).toBe('400 signing_mode_mismatch')
})

test('a login that ends while the key is on its way makes no wallet', async () => {
  const { user, steps } = await owner()
  const started = await steps.startImport()
  await app.sql`update key_transfers set expires_at = expires_at + interval '1 day' where id = ${started.id}`
  await makeClockMovable(app)
  const release = await holdOrganization(app, tenant.id)
  const answer = steps.completeImport(started, started.code, started.seal(newKey()))
  await untilWaiting(app)
  await release(clockText(1.01))
  expect(outcome(await answer)).toBe('401 token_expired')
  await startClock(app)
  expect(await walletsOf(user)).toEqual([])
  expect(await events(user)).toEqual(['token_expired'])
  expect((await steps.completeImport(started, started.code, started.seal(newKey()))).status).toBe(201)
})

test('an enclave that was started anew has another key: the import is over, and another one works', async () => {
  const { steps } = await owner()
  const started = await steps.startImport()
  process.kill(app.enclaveProcess.supervisor.pid() ?? 0, 'SIGKILL')
  let answer = await steps.completeImport(started, started.code, started.seal(newKey()))
  for (let i = 0; i < 50 && answer.status === 503; i++)
    answer = await steps.completeImport(started, started.code, started.seal(newKey()))
  expect(outcome(answer)).toBe('410 expired')
  expect(outcome(await steps.completeImport(started, started.code, started.seal(newKey())))).toBe(
    '410 expired',
  )
  const again = await steps.startImport()
  expect(again.enclaveKey).not.toEqual(started.enclaveKey)
  expect((await steps.completeImport(again, again.code, again.seal(newKey()))).status).toBe(201)
})

test('the imported key is in no row and no line', async () => {
  const { steps } = await owner()
  const key = Buffer.from(newKey())
  const started = await steps.startImport()
  await steps.completeImport(started, otherCode(started.code), started.seal(key))
  await steps.completeImport(started, started.code, started.seal(key))
  const rows = await Promise.all(
    ['wallets', 'key_transfers', 'audit_events', 'outbox', 'idempotency_keys'].map((table) =>
      app.sql.unsafe(`select t::text as row from ${table} t`),
    ),
  )
  const texts = JSON.stringify([rows, app.log.lines, app.mailServer.mails, app.enclaveProcess.lines])
  expect(texts).toContain(started.transfer.walletId)
  for (const encoding of ['hex', 'base64'] as const) expect(texts).not.toContain(key.toString(encoding))
})
