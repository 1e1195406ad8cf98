import { randomBytes, randomUUID } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keyRing } from '@symbolon/crypto/node'
import { decodeIntent, encodeIntent, signingDigest } from '@symbolon/networks/testing/by-intent'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { AgentSigningRequest, Enclave } from '@symbolon/server/testing/ports'
import {
  type EnclaveProcess,
  makeGrant,
  makeTeeWallet,
  messageIntent,
  operatorOf,
  requestsAtMs,
  startEnclaveProcess,
  type TeeWallet,
  type TestGrant,
  transferIntent,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
const recipient = `0x${'5e'.repeat(20)}`
const stranger = `0x${'bb'.repeat(20)}`
let child: EnclaveProcess
let enclave: Enclave
let wallet: TeeWallet

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket(child.client)
  wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
})

afterAll(() => Promise.all([enclave.close(), child.stop()]))

const refusal = (code: string) => expect.objectContaining({ name: 'EnclaveError', code })
const transfer = (value: bigint, to = recipient) => transferIntent({ chain: 'base', to, value })
const sharesOf = ({ shareA, shareB }: TeeWallet) => ({ shareA, shareB })

/** Evaluates and signs, which must agree; then signs once more, so that `agentSign` evaluates for itself. */
async function evaluateAndSign(
  grant: TestGrant,
  intent: Uint8Array,
  change: Partial<AgentSigningRequest> = {},
) {
  const asked = { ...grant, intent, ...change }
  const decision = await enclave.evaluate(asked)
  const signed = await enclave.agentSign({ ...asked, ...sharesOf(wallet) })
  expect(signed.refusal).toEqual(decision.refusal)
  expect(await enclave.agentSign({ ...asked, ...sharesOf(wallet) })).toEqual(signed)
  return { decision, signed }
}

async function expectBoth(code: string, asked: AgentSigningRequest, shares = sharesOf(wallet)) {
  await expect(enclave.evaluate(asked)).rejects.toEqual(refusal(code))
  await expect(enclave.agentSign({ ...asked, ...shares })).rejects.toEqual(refusal(code))
}

test('a session signs what its policy allows, and the signature is the one that the wallet itself makes', async () => {
  const grant = await makeGrant(enclave, wallet, { session: { max_spend_per_tx_native: '1000' } })
  const intent = transfer(1000n)
  const { decision, signed } = await evaluateAndSign(grant, intent)
  expect(decision).toMatchObject({ refusal: null, method: 'sendTransaction', chain: 'base', value: 1000n })
  expect(signed).toEqual({ refusal: null, ...(await enclave.sign({ ...wallet, intent })) })
  const digest = signingDigest(decodeIntent(intent), 'secp256k1', wallet.publicKey)
  const [{ signature }] = signed.signatures ?? expect.fail('no signature')
  expect(secp256k1.verify(signature, digest, wallet.publicKey, { prehash: false, lowS: true })).toBe(true)
})

test('a session of an ed25519 wallet signs a message', async () => {
  const solana = await makeTeeWallet(enclave, ring, 'ed25519')
  const intent = messageIntent('ed25519', 'an agent says hello')
  const grant = await makeGrant(enclave, solana)
  const { signatures } = await enclave.agentSign({ ...grant, ...sharesOf(solana), intent })
  const payload = signingDigest(decodeIntent(intent), 'ed25519', solana.publicKey)
  expect(ed25519.verify(signatures?.[0].signature ?? new Uint8Array(64), payload, solana.publicKey)).toBe(
    true,
  )
})

describe('a grant opens for nothing but what it was made for', () => {
  const others: Record<string, (grant: TestGrant) => Partial<AgentSigningRequest>> = {
    'another token': () => ({ tokenKey: randomBytes(32) }),
    'another session': () => ({ sessionId: randomUUID() }),
    'another policy version': () => ({ policyVersion: 2 }),
    'another organization': () => ({ organizationId: randomUUID() }),
    'another wallet': () => ({ walletId: randomUUID() }),
    'another polynomial version': () => ({ polynomialVersion: 2 }),
    'another curve': () => ({ curve: 'ed25519', intent: messageIntent('ed25519', 'm') }),
    'another public key': () => ({ publicKey: secp256k1.getPublicKey(randomBytes(32)) }),
    'an altered grant': ({ grant }) => ({
      grant: grant.map((byte, i) => (i === grant.length - 40 ? byte ^ 1 : byte)),
    }),
    'an altered data key': ({ grant }) => {
      // The last byte of the first part, which holds the data key.
      const at = 2 + (((grant[1] ?? 0) << 8) | (grant[2] ?? 0))
      return { grant: grant.map((byte, i) => (i === at ? byte ^ 1 : byte)) }
    },
    'a share in its place': () => ({ grant: wallet.shareA }),
  }
  test.each(Object.keys(others))('and is refused with %s', async (name) => {
    const grant = await makeGrant(enclave, wallet)
    const change = others[name]?.(grant) ?? {}
    const asked = { ...grant, intent: transfer(1n), ...change }
    if (name === 'an altered data key') {
      // The policy is whole, so that it can be evaluated; but nothing can be signed.
      expect((await enclave.evaluate(asked)).refusal).toBeNull()
      await expect(enclave.agentSign({ ...asked, ...sharesOf(wallet) })).rejects.toEqual(refusal('refused'))
    } else await expectBoth('refused', asked)
  })

  test('the grant of another wallet, in the row of this one', async () => {
    const other = await makeTeeWallet(enclave, ring, 'secp256k1')
    const theirs = await makeGrant(enclave, { ...other, organizationId: other.organizationId })
    const { organizationId, walletId, publicKey } = wallet
    await expectBoth('refused', { ...theirs, organizationId, walletId, publicKey, intent: transfer(1n) })
    // Their grant in their own row, with this wallet's shares.
    await expect(enclave.agentSign({ ...theirs, ...sharesOf(wallet), intent: transfer(1n) })).rejects.toEqual(
      refusal('refused'),
    )
  })
})

describe('the policy that counts is the sealed one, met with what is stored now', () => {
  const caps = (max: string) => ({ session: { max_spend_per_tx_native: max } })

  test('over the cap is refused, with the rule, and no share is opened for it', async () => {
    const grant = await makeGrant(enclave, wallet, caps('1000'))
    const { decision } = await evaluateAndSign(grant, transfer(1001n))
    expect(decision.refusal).toEqual({
      reason: 'per_tx_cap_exceeded',
      layer: 'session',
      rule: 'max_spend_per_tx_native',
      limit: '1000',
      actual: '1001',
    })
    const garbage = { shareA: randomBytes(160), shareB: randomBytes(160) }
    const unopened = await enclave.agentSign({ ...grant, ...garbage, intent: transfer(1001n) })
    expect(unopened).toEqual({ refusal: decision.refusal })
    await expect(enclave.agentSign({ ...grant, ...garbage, intent: transfer(1n) })).rejects.toEqual(
      refusal('refused'),
    )
  })

  test('a stored policy that became wider widens nothing', async () => {
    const layers = {
      organization: { blocked_recipients: [recipient] },
      agent: { max_spend_per_tx_native: '10' },
    }
    const grant = await makeGrant(enclave, wallet, layers)
    const wider = JSON.stringify({ organization: { allow_raw_hash: true, token_mode: 'any' }, agent: {} })
    for (const current of [wider, JSON.stringify({ organization: null, agent: null })]) {
      expect((await evaluateAndSign(grant, transfer(1n), { current })).decision.refusal?.reason).toBe(
        'recipient_blocked',
      )
      expect(
        (await evaluateAndSign(grant, transfer(11n, stranger), { current })).decision.refusal,
      ).toMatchObject({
        reason: 'per_tx_cap_exceeded',
        layer: 'agent',
      })
    }
  })

  test('a stored policy that became narrower counts at once', async () => {
    const grant = await makeGrant(enclave, wallet, caps('1000'))
    expect((await evaluateAndSign(grant, transfer(5n))).decision.refusal).toBeNull()
    const narrower: [object, string][] = [
      [{ organization: { max_native_per_tx_cap: '4' }, agent: null }, 'org_per_tx_cap_exceeded'],
      [{ organization: { blocked_chains: ['base'] }, agent: null }, 'chain_blocked'],
      [{ organization: null, agent: { allowed_methods: ['signMessage'] } }, 'method_not_allowed'],
      [{ organization: null, agent: { allowed_recipients: [] } }, 'recipient_not_allowed'],
    ]
    for (const [current, reason] of narrower) {
      const { decision } = await evaluateAndSign(grant, transfer(5n), { current: JSON.stringify(current) })
      expect(decision.refusal?.reason).toBe(reason)
    }
  })

  test('its time is over at its expiry, by the clock of the signing request', async () => {
    const session = { expires_at: new Date(requestsAtMs + 1000).toISOString() }
    const grant = await makeGrant(enclave, wallet, { session })
    const asked = { ...grant, intent: transfer(1n) }
    expect(
      (await evaluateAndSign(grant, transfer(1n), { nowMs: requestsAtMs + 999 })).decision.refusal,
    ).toBeNull()
    await expectBoth('expired', { ...asked, nowMs: requestsAtMs + 1000 })
    const agent = { expires_at: new Date(requestsAtMs).toISOString() }
    await expectBoth('expired', { ...asked, current: JSON.stringify({ organization: null, agent }) })
  })

  test('stored layers that are not a policy refuse everything', async () => {
    const grant = await makeGrant(enclave, wallet)
    for (const current of [
      '',
      'null',
      '[]',
      '{}',
      '{"organization":null,"agent":{"max":"1"}}',
      '{"organization":null,"agent":null,"session":{}}',
    ]) {
      await expectBoth('refused', { ...grant, intent: transfer(1n), current })
    }
  })
})

describe('a decision of a moment ago is used again for the very same bytes only', () => {
  const session = { max_spend_per_tx_native: '1000', expires_at: new Date(requestsAtMs + 1000).toISOString() }
  const narrower = JSON.stringify({ organization: { blocked_chains: ['base'] }, agent: null })
  const changes: Record<string, [(grant: TestGrant) => Partial<AgentSigningRequest>, string]> = {
    'another intent': [() => ({ intent: transfer(1001n) }), 'per_tx_cap_exceeded'],
    'another recipient': [() => ({ intent: transfer(1000n, stranger) }), 'recipient_not_allowed'],
    'narrower rules': [() => ({ current: narrower }), 'chain_blocked'],
    'a later time': [() => ({ nowMs: requestsAtMs + 1000 }), 'expired'],
    'another token': [() => ({ tokenKey: randomBytes(32) }), 'refused'],
    'another session': [() => ({ sessionId: randomUUID() }), 'refused'],
    'another policy version': [() => ({ policyVersion: 2 }), 'refused'],
    'an altered policy': [
      ({ grant }) => ({ grant: grant.map((byte, i) => (i === grant.length - 40 ? byte ^ 1 : byte)) }),
      'refused',
    ],
    'an operation beside it': [() => ({ operation: '{}' }), 'invalid_payload'],
  }
  test.each(Object.keys(changes))('and not with %s', async (name) => {
    const [change, expected] = changes[name] ?? expect.fail('no such change')
    const grant = await makeGrant(enclave, wallet, {
      session: { ...session, allowed_recipients: [recipient] },
    })
    const asked = { ...grant, intent: transfer(1000n) }
    expect((await enclave.evaluate(asked)).refusal).toBeNull()
    const outcome = await enclave.agentSign({ ...asked, ...change(grant), ...sharesOf(wallet) }).then(
      ({ refusal }) => refusal?.reason,
      (error: { code: string }) => error.code,
    )
    expect(outcome).toBe(expected)
    const signed = await enclave.agentSign({ ...asked, ...sharesOf(wallet) })
    expect(signed).toEqual({ refusal: null, ...(await enclave.sign({ ...wallet, intent: asked.intent })) })
  })

  test('and with the shares of that wallet', async () => {
    const grant = await makeGrant(enclave, wallet)
    const asked = { ...grant, intent: transfer(1n) }
    await enclave.evaluate(asked)
    const other = await makeTeeWallet(enclave, ring, 'secp256k1')
    await expect(enclave.agentSign({ ...asked, ...sharesOf(other) })).rejects.toEqual(refusal('refused'))
  })
})

test('a grant is made of closed layers only, and of shares that make the wallet', async () => {
  const bad: object[] = [
    { session: { max_spend: '1' } },
    { session: { max_spend_per_tx_native: 1 } },
    { session: { max_spend_per_tx_native: '-1' } },
    { session: { allowed_methods: ['anything'] } },
    { agent: { blocked_chains: [] } },
    { organization: { max_spend_per_tx_native: '1' } },
    { session: { allowed_recipients: Array.from({ length: 257 }, () => recipient) } },
  ]
  for (const layers of bad) {
    await expect(makeGrant(enclave, wallet, layers)).rejects.toEqual(refusal('invalid_payload'))
  }
  const raw = (layers: string) =>
    enclave.grant({ ...wallet, sessionId: randomUUID(), policyVersion: 1, tokenKey: randomBytes(32), layers })
  for (const layers of [
    '',
    '{',
    'null',
    '{"session":{}}',
    '{"organization":null,"agent":null,"session":[]}',
    '{"organization":null,"agent":null,"session":{},"__proto__":{}}',
  ]) {
    await expect(raw(layers)).rejects.toEqual(refusal('invalid_payload'))
  }
  const other = await makeTeeWallet(enclave, ring, 'secp256k1')
  await expect(makeGrant(enclave, { ...wallet, ...sharesOf(other) })).rejects.toEqual(refusal('refused'))
  await expect(makeGrant(enclave, { ...wallet, publicKey: other.publicKey })).rejects.toEqual(
    refusal('key_mismatch'),
  )
})

test('a grant returns the effective policy, and which fields of the session other layers clip', async () => {
  const { effective, clipped } = await makeGrant(enclave, wallet, {
    organization: { max_native_per_tx_cap: '50' },
    agent: { allowed_chains: ['base'] },
    session: { max_spend_per_tx_native: '100', allowed_chains: ['base', 'ethereum'], max_tx_count: 3 },
  })
  expect(JSON.parse(effective)).toMatchObject({
    max_spend_per_tx_native: '50',
    allowed_chains: ['base'],
    max_tx_count: 3,
    allow_raw_hash: false,
  })
  expect([...clipped].sort()).toEqual(['allowed_chains', 'max_spend_per_tx_native'])
})

const effective = (layers: string) => enclave.effective({ organizationId: wallet.organizationId, layers })

test('effective policies come for many sets at once, and for too many not at all', async () => {
  const set = { organization: null, agent: { max_tx_count: 2 }, session: { max_tx_count: 5 } }
  const answer = JSON.parse(await effective(JSON.stringify(Array.from({ length: 256 }, () => set))))
  expect(answer).toHaveLength(256)
  expect(answer[255]).toMatchObject({ max_tx_count: 2, allowed_recipients: null })
  const tooMany = JSON.stringify(Array.from({ length: 257 }, () => set))
  await expect(effective(tooMany)).rejects.toEqual(refusal('invalid_payload'))
  await expect(effective('{}')).rejects.toEqual(refusal('invalid_payload'))
  await expect(effective(JSON.stringify([set, 1]))).rejects.toEqual(refusal('invalid_payload'))
})

test('layers longer than 256 KiB are refused, and what fits no record is not sent: the connection stays', async () => {
  const long = (bytes: number) => ({ session: {}, organization: { blocked_recipients: ['x'.repeat(bytes)] } })
  await expect(makeGrant(enclave, wallet, long(300 << 10))).rejects.toEqual(refusal('invalid_payload'))
  const waiting = makeGrant(enclave, wallet)
  await expect(makeGrant(enclave, wallet, long(1100 << 10))).rejects.toEqual(refusal('unavailable'))
  expect((await waiting).grant.length).toBeGreaterThan(100)
})

test('requests that are longer together than what may wait unsent are all answered', async () => {
  const set = { organization: null, agent: null, session: { allowed_recipients: ['x'.repeat(200)] } }
  const json = JSON.stringify(Array.from({ length: 256 }, () => set))
  // Of organizations that were not seen before: nobody knows yet how long theirs take, and none waits for its turn.
  const ask = (_: unknown, n: number) => enclave.effective({ organizationId: `new ${n}`, layers: json })
  const answers = await Promise.all(Array.from({ length: 12 }, ask))
  for (const answer of answers) expect(answer.length).toBeGreaterThan(50_000)
})

test('answers that are longer together than a record come in several', async () => {
  const set = { organization: null, agent: null, session: { allowed_recipients: ['x'.repeat(200)] } }
  const json = JSON.stringify(Array.from({ length: 256 }, () => set))
  const answers = await Promise.all(Array.from({ length: 8 }, () => effective(json)))
  expect(answers.join('').length).toBeGreaterThan(1 << 20)
  for (const answer of answers) expect(answer).toBe(answers[0])
})

test('the decoder refuses bytes that do not decode, and an invalid operation', async () => {
  const grant = await makeGrant(enclave, wallet)
  const garbage = encodeIntent({ kind: 'transaction', network: 'evm', chain: 'base', bytes: randomBytes(40) })
  await expectBoth('invalid_payload', { ...grant, intent: garbage })
  await expectBoth('invalid_payload', { ...grant, intent: randomBytes(9) })
  for (const operation of [
    'x',
    '[]',
    '{"chain":"base"}',
    '{"chain":"base","operation":{"nonce":1}}',
    '{"chain":"base","operation":{},"more":1}',
  ]) {
    await expectBoth('invalid_payload', { ...grant, intent: transfer(1n), operation })
  }
})

test('checks and effects are returned on request', async () => {
  const grant = await makeGrant(enclave, wallet, { session: { max_spend_per_tx_native: '10' } })
  const plain = await enclave.evaluate({ ...grant, intent: transfer(3n) })
  const explained = await enclave.evaluate({ ...grant, intent: transfer(3n), explain: true })
  expect(plain).toEqual({ ...explained, checks: [], effects: [] })
  expect(explained.checks).toContainEqual({
    rule: 'max_spend_per_tx_native',
    layer: 'session',
    limit: '10',
    actual: '3',
    passed: true,
  })
  expect(explained.effects).toEqual([
    { kind: 'transfer', asset: 'ETH', amount: 3n, to: expect.stringMatching(new RegExp(recipient, 'i')) },
  ])
  // 21,000 gas at 1 gwei each count beside the value.
  expect(plain.spends.find(({ counter }) => counter === 'native ETH/18')).toMatchObject({
    amount: 21_000_000_000_003n,
  })
  expect(plain.payloadSha256).toMatch(/^[0-9a-f]{64}$/)
  expect(plain.digestSha256).toMatch(/^[0-9a-f]{64}$/)
})

test('an enclave killed between evaluation and signature is replaced by one that signs with the same grant', async () => {
  const grant = await makeGrant(enclave, wallet)
  const asked = { ...grant, intent: transfer(7n) }
  await enclave.evaluate(asked)
  const pid = child.supervisor.pid() ?? 0
  process.kill(pid, 'SIGKILL')
  const signs = () => enclave.agentSign({ ...asked, ...sharesOf(wallet) })
  let signed = await signs().catch((error: unknown) => error)
  for (let i = 0; i < 100 && signed instanceof Error; i++) {
    expect(signed).toEqual(refusal('unavailable'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    signed = await signs().catch((error: unknown) => error)
  }
  expect(child.supervisor.pid()).not.toBe(pid)
  expect(signed).toEqual({
    refusal: null,
    ...(await enclave.sign({ ...wallet, intent: asked.intent })),
  })
})

test('a grant goes on after a rotation of the tee-a key', async () => {
  const grant = await makeGrant(enclave, wallet)
  await operatorOf(enclave, child.operator).rotate()
  expect((await evaluateAndSign(grant, transfer(1n))).decision.refusal).toBeNull()
})
