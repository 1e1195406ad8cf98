import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import {
  type EnclaveOp,
  type EnclaveStatus,
  enclaveOps,
  type GenerateAnswer,
  hpkeSeal,
  keyRing,
  readAgentSignAnswer,
  readGenerateAnswer,
  readGrantAnswer,
  readImportKeyAnswer,
  type SignRequest,
  teeContext,
  WireError,
  type WireWriter,
  wireReader,
  wireWriter,
  writeAgentSignRequest,
  writeEvaluateRequest,
  writeExportRequest,
  writeGenerateRequest,
  writeGrantRequest,
  writeImportKeyRequest,
  writeImportRequest,
  writeSignRequest,
  writtenBytes,
} from '@symbolon/crypto/node'
import { networks } from '@symbolon/networks'
import { encodeIntent } from '@symbolon/networks/testing/by-intent'
import { makePsbt, makeTestRing } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicAttestation } from './attest.ts'
import type { Attestor } from './attestor.ts'
import { makeReceiptKey } from './boot-keys.ts'
import { dispatcher } from './dispatch.ts'
import { type EnclaveState, enclaveState } from './enclave-state.ts'
import { type ReceiptIssuer, receiptIssuer } from './receipt-issuer.ts'
import { secureSlots } from './secure-slots.ts'
import { servingState } from './testing/serving-state.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-dispatch-'))
const lines: string[] = []
const log = (event: string, fields?: object) => lines.push(JSON.stringify({ event, ...fields }))
const wallet = {
  organizationId: randomUUID(),
  walletId: randomUUID(),
  polynomialVersion: 1,
  curve: 'secp256k1' as const,
}
const { dataKey, wrappedKey } = keyRing({
  purpose: 'tee-b',
  keyId: 'b',
  keys: [randomBytes(32)],
}).generateDataKey(teeContext(wallet, 'tee-b'))
const intent = encodeIntent({ kind: 'hash', chain: 'ethereum', hash: randomBytes(32) })
const attestor = { attest: async () => randomBytes(8) }
const receiptKey = makeReceiptKey(secureSlots(1))
const receipts = receiptIssuer({ key: receiptKey, mode: 'simulated', nowMs: Date.now })
const attestation = (from: Attestor) =>
  publicAttestation({
    attestor: from,
    channelKey: randomBytes(32),
    receiptKey,
    document: randomBytes(8),
  })
let made: GenerateAnswer

function serving(): EnclaveState {
  makeTestRing(join(folder, 'key'))
  return servingState(join(folder, 'key'), log)
}

function run(
  state: EnclaveState,
  op: EnclaveOp,
  write: (writer: WireWriter) => void = () => {},
  issuer: ReceiptIssuer = receipts,
): { status: EnclaveStatus; body: Uint8Array } {
  const request = wireWriter(512)
  write(request)
  const answer = wireWriter(512)
  const dispatch = dispatcher({ state, attestation: attestation(attestor), receipts: issuer, log })
  const status = dispatch(enclaveOps[op], wireReader(writtenBytes(request)), answer)
  if (typeof status !== 'string') throw new Error('a late answer')
  return { status, body: writtenBytes(answer) }
}

const layersOf = (session: object) => JSON.stringify({ organization: null, agent: null, session })
const signing = (): SignRequest => ({ ...wallet, ...made, dataKeyB: dataKey, intent })
const signs = (state: EnclaveState) =>
  run(state, 'sign', (writer) => writeSignRequest(writer, signing())).status
/** Two ECDSA inputs and a taproot one. */
function signsPsbt(state: EnclaveState): EnclaveStatus {
  const { publicKey } = made
  const bytes = makePsbt((['p2wpkh', 'p2tr', 'p2wpkh'] as const).map((kind) => ({ publicKey, kind })))
  const psbt = encodeIntent({ kind: 'transaction', network: 'bitcoin', chain: 'bitcoin', bytes })
  return run(state, 'sign', (writer) => writeSignRequest(writer, { ...signing(), intent: psbt })).status
}

beforeAll(() => {
  const { body } = run(serving(), 'generate', (writer) =>
    writeGenerateRequest(writer, { ...wallet, dataKeyB: dataKey, wrappedKeyB: wrappedKey }),
  )
  made = readGenerateAnswer(wireReader(body))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a signature that does not verify never leaves and seals the enclave', () => {
  const state = serving()
  const { signers, ...rest } = state.vault()
  const broken = {
    ...signers.secp256k1,
    sign: (payload: Uint8Array, key: Uint8Array, work: Uint8Array) => {
      const good = signers.secp256k1.sign(payload, key, work)
      good.signature[5] = (good.signature[5] ?? 0) ^ 1
      return good
    },
  }
  const faulty = { ...state, vault: () => ({ ...rest, signers: { ...signers, secp256k1: broken } }) }
  expect(signs(faulty)).toBe('unavailable')
  expect(state.phases.current()).toBe('sealed')
  expect(() => state.vault()).toThrow()
})

test('a taproot signature that does not verify never leaves and seals the enclave', () => {
  const state = serving()
  const { taproot, ...rest } = state.vault()
  const broken = {
    ...taproot,
    sign: (digest: Uint8Array, tweaked: Uint8Array) => {
      const good = taproot.sign(digest, tweaked)
      good.signature[40] = (good.signature[40] ?? 0) ^ 1
      return good
    },
  }
  const all = rest.slots.free()
  expect(signsPsbt(state)).toBe('ok')
  expect(signsPsbt({ ...state, vault: () => ({ ...rest, taproot: broken }) })).toBe('unavailable')
  expect(rest.slots.free()).toBe(all)
  expect(state.phases.current()).toBe('sealed')
})

test('each of several signatures is verified: a wrong last one seals the enclave', () => {
  const state = serving()
  const { signers, ...rest } = state.vault()
  let count = 0
  const broken = {
    ...signers.secp256k1,
    sign: (payload: Uint8Array, key: Uint8Array, work: Uint8Array) => {
      count += 1
      return signers.secp256k1.sign(count === 2 ? randomBytes(32) : payload, key, work)
    },
  }
  expect(
    signsPsbt({ ...state, vault: () => ({ ...rest, signers: { ...signers, secp256k1: broken } }) }),
  ).toBe('unavailable')
  expect(state.phases.current()).toBe('sealed')
})

test('every outcome of a signature gives all slots back', () => {
  const state = serving()
  const { slots } = state.vault()
  const all = slots.free()
  expect(signs(state)).toBe('ok')
  for (const change of [
    { dataKeyB: randomBytes(32) },
    { publicKey: randomBytes(33) },
    { intent: randomBytes(9) },
    { shareA: made.shareB },
  ]) {
    const { status, body } = run(state, 'sign', (writer) =>
      writeSignRequest(writer, { ...signing(), ...change }),
    )
    expect(status).not.toBe('ok')
    expect(body.length).toBe(0)
    expect(slots.free()).toBe(all)
  }
})

test('where a receipt cannot be counted, no share is opened; every outcome of one gives all slots back', () => {
  const state = serving()
  const { slots } = state.vault()
  const all = slots.free()
  const full = receiptIssuer({ key: receiptKey, mode: 'simulated', nowMs: Date.now, organizationsMax: 0 })
  const refuse = () => {
    throw new Error('reached')
  }
  const watched = { ...state, vault: () => ({ ...state.vault(), slots: { ...slots, take: refuse } }) }
  const asked = (of: EnclaveState, issuer: ReceiptIssuer, change: object = {}) =>
    run(of, 'signWithReceipt', (writer) => writeSignRequest(writer, { ...signing(), ...change }), issuer)
  lines.length = 0
  expect(asked(watched, full)).toMatchObject({ status: 'unavailable', body: { length: 0 } })
  // A slot that was asked for would be a foreign error, which is logged.
  expect(lines.filter((line) => line.includes('operation failed'))).toEqual([])
  expect(asked(state, receipts).status).toBe('ok')
  for (const change of [
    { dataKeyB: randomBytes(32) },
    { publicKey: randomBytes(33) },
    { intent: randomBytes(9) },
  ])
    expect(asked(state, receipts, change)).toMatchObject({ status: expect.not.stringMatching('ok') })
  const failing = { ...receipts, issue: refuse }
  expect(asked(state, failing)).toMatchObject({ status: 'unavailable', body: { length: 0 } })
  expect(slots.free()).toBe(all)
})

test('every outcome of an export and an import gives all slots back', async () => {
  const state = serving()
  const { slots, importKey } = state.vault()
  const all = slots.free()
  const ecdh = createECDH('prime256v1')
  const exporting = { ...signing(), userIdentityId: randomUUID(), recipient: ecdh.generateKeys() }
  const exported = (change: object) =>
    run(state, 'export', (writer) => writeExportRequest(writer, { ...exporting, ...change })).status
  expect(exported({})).toBe('ok')
  expect(exported({ dataKeyB: randomBytes(32) })).toBe('refused')
  expect(exported({ publicKey: randomBytes(33) })).toBe('key_mismatch')
  expect(exported({ shareA: made.shareB })).toBe('refused')
  expect(exported({ recipient: new Uint8Array(65) })).toBe('invalid_payload')
  expect(slots.free()).toBe(all)

  const owned = { ...wallet, userIdentityId: randomUUID() }
  const context = { info: keyTransferInfo.import, aad: keyTransferAad(owned) }
  const importing = (key: Uint8Array, change: object = {}) => {
    const sealed = hpkeSeal(importKey.publicKey, key, context)
    const keys = { dataKeyB: dataKey, wrappedKeyB: wrappedKey, importKey: importKey.publicKey }
    return run(state, 'import', (writer) =>
      writeImportRequest(writer, { ...owned, ...keys, ...sealed, ...change }),
    ).status
  }
  expect(importing(new Uint8Array(32).fill(1))).toBe('ok')
  expect(importing(new Uint8Array(32))).toBe('invalid_payload')
  expect(importing(new Uint8Array(48).fill(1))).toBe('invalid_payload')
  expect(importing(new Uint8Array(32).fill(1), { userIdentityId: randomUUID() })).toBe('invalid_payload')
  expect(importing(new Uint8Array(32).fill(1), { importKey: exporting.recipient })).toBe('expired')
  expect(slots.free()).toBe(all)
})

test('every outcome of a grant, an evaluation and an agent’s signature gives all slots back', () => {
  const state = serving()
  const { slots } = state.vault()
  const all = slots.free()
  const session = { ...signing(), sessionId: randomUUID(), policyVersion: 1, tokenKey: randomBytes(32) }
  const granting = (change: object) =>
    run(state, 'grant', (writer) =>
      writeGrantRequest(writer, { ...session, layers: layersOf({ allowed_methods: [] }), ...change }),
    )
  expect(granting({ layers: '{}' }).status).toBe('invalid_payload')
  expect(granting({ dataKeyB: randomBytes(32) }).status).toBe('refused')
  expect(granting({ publicKey: randomBytes(33) }).status).toBe('key_mismatch')
  const closed = readGrantAnswer(wireReader(granting({}).body)).grant
  const open = readGrantAnswer(wireReader(granting({ layers: layersOf({}) }).body)).grant
  expect(slots.free()).toBe(all)

  const message = encodeIntent({
    kind: 'message',
    network: 'evm',
    chain: 'ethereum',
    message: Buffer.from('agents say hello'),
  })
  const current = '{"organization":null,"agent":null}'
  const signingRequest = {
    ...session,
    grant: open,
    current,
    versions: { rules: 0, agentId: null, agent: 0 },
    nowMs: 1,
    intent: message,
  }
  const signed = (change: object) =>
    run(state, 'agentSign', (writer) => writeAgentSignRequest(writer, { ...signingRequest, ...change }))
  const answerOf = (change: object) => readAgentSignAnswer(wireReader(signed(change).body))
  expect(answerOf({})).toHaveProperty('signatures')
  expect(answerOf({ grant: closed })).toEqual({ refusal: expect.stringContaining('method_not_allowed') })
  expect(signed({ tokenKey: randomBytes(32) }).status).toBe('refused')
  expect(signed({ intent: randomBytes(9) }).status).toBe('invalid_payload')
  expect(signed({ current: '' }).status).toBe('refused')
  expect(signed({ shareA: made.shareB }).status).toBe('refused')
  const evaluated = (change: object) =>
    run(state, 'evaluate', (writer) => writeEvaluateRequest(writer, { ...signingRequest, ...change })).status
  expect(evaluated({})).toBe('ok')
  expect(evaluated({ sessionId: randomUUID() })).toBe('refused')
  expect(slots.free()).toBe(all)
})

test('a secure module that does not answer is asked 32 times at once, and one that fails costs nobody else', async () => {
  const state = serving()
  const asked: { resolve(document: Uint8Array): void; reject(error: Error): void }[] = []
  const slow = {
    attest: () => new Promise<Uint8Array>((resolve, reject) => asked.push({ resolve, reject })),
  }
  const dispatch = dispatcher({ state, attestation: attestation(slow), receipts, log })
  const request = wireWriter(64)
  writeImportKeyRequest(request, { ...wallet, userIdentityId: randomUUID() })
  const ask = () => dispatch(enclaveOps.importKey, wireReader(writtenBytes(request)), wireWriter(8))
  const late = Array.from({ length: 32 }, ask)
  expect(ask()).toBe('unavailable')
  asked[0]?.reject(new Error('gone'))
  expect(await late[0]).toEqual({ status: 'unavailable', body: new Uint8Array(0) })
  const next = ask()
  const document = randomBytes(40)
  asked.at(-1)?.resolve(document)
  if (typeof next === 'string') throw new Error('not late')
  const { status, body } = await next
  expect(status).toBe('ok')
  expect(readImportKeyAnswer(wireReader(body))).toEqual({
    publicKey: new Uint8Array(state.vault().importKey.publicKey),
    document: new Uint8Array(document),
  })
})

test('the digest comes from the intent: the signer is not reached when it does not decode', () => {
  const state = serving()
  const refuse = () => {
    throw new Error('reached')
  }
  const { slots } = state.vault()
  const watched = { ...state, vault: () => ({ ...state.vault(), slots: { ...slots, take: refuse } }) }
  const status = run(watched, 'sign', (writer) =>
    writeSignRequest(writer, { ...signing(), intent: randomBytes(9) }),
  )
  expect(status.status).toBe('invalid_payload')
})

test('each operation is refused in each phase that does not allow it', () => {
  const state = enclaveState(log, networks, Date.now)
  for (const op of Object.keys(enclaveOps) as EnclaveOp[]) expect(run(state, op).status).toBe('unavailable')
  const sealed = serving()
  sealed.seal('test')
  expect(signs(sealed)).toBe('unavailable')
  expect(run(sealed, 'rewrap').status).toBe('unavailable')
  expect(run(sealed, 'status').status).toBe('ok')
})

test('sealing empties the cache of data keys', () => {
  const state = serving()
  signs(state)
  const { cache } = state.vault()
  expect(cache.size()).toBe(1)
  state.seal('test')
  expect(cache.size()).toBe(0)
})

test('a request without the shape of its operation ends in an error, not an answer', () => {
  const state = serving()
  const shaped = [
    'generate',
    'sign',
    'rewrap',
    'export',
    'importKey',
    'import',
    'grant',
    'evaluate',
    'agentSign',
    'effective',
    'operator',
    'signWithReceipt',
    'agentSignWithReceipt',
  ] as const
  for (const op of shaped) {
    expect(() => run(state, op)).toThrow(WireError)
    expect(() =>
      run(state, op, (writer) => writeSignRequest(writer, { ...signing(), curve: 'p256' as 'ed25519' })),
    ).toThrow(WireError)
  }
  expect(() => run(state, 'status', (writer) => writeSignRequest(writer, signing()))).toThrow(WireError)
  const dispatch = dispatcher({ state, attestation: attestation(attestor), receipts, log })
  expect(() => dispatch(0, wireReader(new Uint8Array(0)), wireWriter(8))).toThrow(WireError)
  expect(state.phases.current()).toBe('serving')
})

test('a foreign error is logged by name only', () => {
  const state = serving()
  const secret = randomBytes(16).toString('hex')
  const failing = {
    ...state,
    status: () => {
      throw new Error(secret)
    },
  }
  expect(run(failing, 'status').status).toBe('unavailable')
  expect(lines.some((line) => line.includes('operation failed'))).toBe(true)
  expect(lines.join('')).not.toContain(secret)
})
