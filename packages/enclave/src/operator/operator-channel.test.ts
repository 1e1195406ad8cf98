import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keyTransferInfo } from '@symbolon/crypto'
import { jwkThumbprint, type PublicJwk } from '@symbolon/crypto/attestation'
import {
  formatOperatorMessage,
  hpkeSeal,
  type OperatorMessage,
  type OperatorOrder,
  operatorFrameBytesMax,
  type SignedOrder,
  sealOperatorFrame,
  signersMin,
  signOrder,
} from '@symbolon/crypto/node'
import { makeTestRing, testManifestContent, testOperator } from '@symbolon/testing/enclave'
import { afterAll, expect, test } from 'vitest'
import { EnclaveFault } from '../enclave-fault.ts'
import type { EnclaveState } from '../enclave-state.ts'
import { servingState } from '../testing/serving-state.ts'
import { bootState } from './accept-state.ts'
import { operatorChannel } from './operator-channel.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-orders-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lines: string[] = []
const log = (event: string, fields?: object) => lines.push(JSON.stringify({ event, ...fields }))
let files = 0

/** A boot that serves, and its channel to operators. */
function booted() {
  files += 1
  const file = path.join(folder, `ring-${files}`)
  const { operator, ringId } = makeTestRing(file)
  const state = servingState(file, log)
  const channelKey = randomBytes(32)
  const bootKey = jwkThumbprint({ kty: 'OKP', crv: 'X25519', x: channelKey.toString('base64url') })
  const channel = operatorChannel(state, channelKey, log)
  const frameKey = () => state.vault().importKey.publicKey
  const statement = (number: number, changes: Partial<OperatorOrder> = {}): OperatorOrder => ({
    version: 1,
    order: 'rotate',
    ring_id: ringId,
    boot_key: bootKey,
    number,
    ...changes,
  })
  const say = (message: OperatorMessage | Uint8Array, by: KeyObject = operator): unknown => {
    const bytes = message instanceof Uint8Array ? message : formatOperatorMessage(message)
    const { frame, openAnswer } = sealOperatorFrame(bytes, by, frameKey())
    return JSON.parse(Buffer.from(openAnswer(channel(frame))).toString('utf8'))
  }
  const order = (number: number, changes: Partial<OperatorOrder> = {}, signers = [operator]) =>
    say(signOrder(statement(number, changes), signers))
  return { state, operator, ringId, bootKey, channel, frameKey, statement, say, order }
}

const publicHalf = (key: KeyObject): PublicJwk => createPublicKey(key).export({ format: 'jwk' }) as PublicJwk
const newOperator = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const versionOf = (state: EnclaveState) => state.vault().ring.keys.version

/** How an attempt is refused; its result where it is not. */
function refusal(attempt: () => unknown): unknown {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof EnclaveFault) return error.status
    throw error
  }
}

/** The same state, under a manifest with other operators. */
function withOperators(state: EnclaveState, jwks: PublicJwk[], k: number): EnclaveState {
  const { manifest } = state.vault().ring
  const content = { ...testManifestContent([...manifest.api_keys], jwks), quorum: { k, n: jwks.length } }
  const ring = { ...state.vault().ring, manifest: { ...manifest, ...content, version: manifest.version + 1 } }
  state.exchange(ring)
  return state
}

test('an operator asks for ring, boot and number, and orders a rotation, each number once', () => {
  const { state, ringId, bootKey, say, order } = booted()
  expect(say({ ask: 'state' })).toEqual({
    ring_id: ringId,
    boot_key: bootKey,
    number: 1,
    is_waiting: false,
    ...bootState(state.vault()),
  })
  expect(order(1)).toEqual({ ring_id: ringId, version: 2 })
  expect(say({ ask: 'state' })).toMatchObject({ number: 2 })
  expect(refusal(() => order(1))).toBe('refused')
  expect(order(7)).toEqual({ ring_id: ringId, version: 3 })
  for (const number of [1, 6, 7]) expect(refusal(() => order(number))).toBe('refused')
  expect(versionOf(state)).toBe(3)
  expect(say({ ask: 'state' })).toMatchObject({ number: 8 })
})

test('what a boot began with is accepted by the quorum, not by one operator', () => {
  const [second, third] = [testOperator(), testOperator()]
  const { state, operator, statement, say } = booted()
  withOperators(state, [publicHalf(operator), second.jwk, third.jwk], 2)
  const acceptance = (number: number) =>
    statement(number, {
      order: 'accept_state',
      ...bootState(state.vault()),
      epoch: 1,
      logs_sha256: '0'.repeat(64),
    })
  expect(refusal(() => say(signOrder(acceptance(1), [operator])))).toBe('refused')
  expect(refusal(() => say(signOrder(acceptance(1), [operator, newOperator()])))).toBe('refused')
  expect(say(signOrder(acceptance(1), [operator, third.operator]))).toMatchObject({
    ring_id: state.vault().ring.id,
  })
  expect(
    refusal(() => say(signOrder(statement(2, { order: 'accept_state' }), [operator, third.operator]))),
  ).toBe('invalid_payload')
})

test('a frame that is sent again is refused, although it opens', () => {
  const { state, channel, operator, statement, frameKey } = booted()
  const message = formatOperatorMessage(signOrder(statement(1), [operator]))
  const { frame } = sealOperatorFrame(message, operator, frameKey())
  channel(frame)
  for (let i = 0; i < 3; i++) expect(refusal(() => channel(frame))).toBe('refused')
  expect(versionOf(state)).toBe(2)
})

test('an operator seals the enclave, and has the answer', () => {
  const { state, ringId, order } = booted()
  expect(order(1, { order: 'seal' })).toEqual({ ring_id: ringId, phase: 'sealed' })
  expect(state.phases.current()).toBe('sealed')
  expect(refusal(() => order(2))).toBe('unavailable')
})

test('an order for another ring or another boot is refused, whoever signed it', () => {
  const { state, order } = booted()
  const other = booted()
  expect(refusal(() => order(1, { ring_id: other.ringId }))).toBe('refused')
  expect(refusal(() => order(1, { boot_key: other.bootKey }))).toBe('refused')
  expect(versionOf(state)).toBe(1)
})

test('a frame to one boot does not open in another', () => {
  const { channel } = booted()
  const { operator, statement, frameKey } = booted()
  const message = formatOperatorMessage(signOrder(statement(1), [operator]))
  expect(refusal(() => channel(sealOperatorFrame(message, operator, frameKey()).frame))).toBe('refused')
})

test('an order that no operator signed, or that was changed after it, is refused', () => {
  const { state, statement, say, operator } = booted()
  const signed = signOrder(statement(1), [operator])
  const [own] = signed.signatures
  const stranger = signOrder(statement(1), [newOperator()])
  const manifestOrder = signOrder(statement(1, { order: 'seal' }), [operator])
  const bad: SignedOrder[] = [
    { ...signed, signatures: [] },
    stranger,
    { ...signed, statement: statement(2) },
    { ...signed, statement: statement(1, { order: 'seal' }) },
    { ...signed, signatures: manifestOrder.signatures },
    { ...signed, signatures: [{ kid: own?.kid ?? '', signature: stranger.signatures[0]?.signature ?? '' }] },
    // Not even beside one that suffices.
    {
      ...signed,
      signatures: [...signed.signatures, ...stranger.signatures].sort((a, b) => (a.kid < b.kid ? -1 : 1)),
    },
  ]
  for (const message of bad) expect(refusal(() => say(message))).toBe('refused')
  expect(versionOf(state)).toBe(1)
  expect(state.phases.current()).toBe('serving')
  expect(say(signed)).toMatchObject({ version: 2 })
})

test('a signature has one form alone', () => {
  const { statement, say, operator } = booted()
  const signed = signOrder(statement(1), [operator])
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const signatures = signed.signatures.map(({ kid, signature }) => {
    const bytes = Buffer.from(signature, 'base64url')
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const high = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    return { kid, signature: high.toString('base64url') }
  })
  expect(refusal(() => say({ ...signed, signatures }))).toBe('refused')
})

test('whoever is no operator cannot even ask', () => {
  const { say, order, operator } = booted()
  const stranger = newOperator()
  expect(refusal(() => say({ ask: 'state' }, stranger))).toBe('refused')
  expect(refusal(() => order(1, {}, [operator, stranger]))).toBe('refused')
})

test('an operator whom a later manifest withdraws neither asks nor signs, and a new one does', () => {
  const { state, operator, say, statement } = booted()
  const signed = signOrder(statement(1), [operator])
  const next = testOperator()
  withOperators(state, [next.jwk], 1)
  expect(refusal(() => say({ ask: 'state' }))).toBe('refused')
  expect(refusal(() => say(signed, next.operator))).toBe('refused')
  expect(say(signOrder(statement(1), [next.operator]), next.operator)).toMatchObject({ version: 2 })
})

test('an order may have more signatures than it needs, of different operators', () => {
  const { state, operator, order } = booted()
  const others = [testOperator(), testOperator()]
  const own = createPublicKey(operator).export({ format: 'jwk' }) as PublicJwk
  withOperators(state, [own, ...others.map(({ jwk }) => jwk)], 2)
  expect(order(1, {}, [operator, ...others.map((one) => one.operator)])).toMatchObject({ version: 2 })
  expect(refusal(() => order(2, {}, [operator, operator]))).toBe('invalid_payload')
  const { manifest } = state.vault().ring
  expect([signersMin('one', manifest), signersMin('quorum', manifest)]).toEqual([1, 2])
})

test('garbage, and what is too short or too long, is malformed or does not open, and changes nothing', () => {
  const { state, channel, operator, frameKey, say, statement } = booted()
  for (const length of [0, 1, 64, 113, operatorFrameBytesMax + 1])
    expect(refusal(() => channel(Buffer.alloc(length, 1)))).toBe('invalid_payload')
  const { frame } = sealOperatorFrame(formatOperatorMessage({ ask: 'state' }), operator, frameKey())
  expect(refusal(() => channel(frame.map((byte, i) => (i === 0 ? 2 : byte))))).toBe('invalid_payload')
  for (let at = 1; at < frame.length; at += 1)
    expect(refusal(() => channel(frame.map((byte, i) => (i === at ? byte ^ 1 : byte))))).toBe('refused')
  expect(refusal(() => channel(frame.subarray(0, frame.length - 1)))).toBe('refused')
  const signed = signOrder(statement(1), [operator])
  const messages: unknown[] = [
    '',
    [],
    {},
    { ask: 'other' },
    { ask: 'state', more: 1 },
    { ...signed, more: 1 },
    { statement: signed.statement },
    { ...signed, statement: { ...signed.statement, version: 2 } },
    { ...signed, statement: { ...signed.statement, order: 'sign' } },
    { ...signed, statement: { ...signed.statement, order: 'toString' } },
    { ...signed, statement: { ...signed.statement, number: 0 } },
    { ...signed, statement: { ...signed.statement, number: 1.5 } },
    { ...signed, statement: { ...signed.statement, number: 2 ** 53 } },
    { ...signed, statement: { ...signed.statement, more: 1 } },
    { ...signed, signatures: [...signed.signatures, ...signed.signatures] },
    { ...signed, signatures: Array(17).fill(signed.signatures[0]) },
  ]
  for (const message of messages)
    expect(refusal(() => say(Buffer.from(JSON.stringify(message))))).toBe('invalid_payload')
  expect(refusal(() => say(randomBytes(300)))).toBe('invalid_payload')
  expect(versionOf(state)).toBe(1)
})

test('what is sealed to the same key for an import is no frame, and a frame is no import', () => {
  const { state, channel, operator, frameKey } = booted()
  const message = formatOperatorMessage({ ask: 'state' })
  const { frame } = sealOperatorFrame(message, operator, frameKey())
  const context = { info: Buffer.from(keyTransferInfo.import), aad: frame.subarray(0, 33) }
  const imported = hpkeSeal(frameKey(), Buffer.alloc(32, 7), context)
  const asFrame = Buffer.concat([frame.subarray(0, 33), imported.enc, imported.ciphertext])
  expect(refusal(() => channel(asFrame))).toBe('refused')
  const asImport = { enc: frame.subarray(33, 98), ciphertext: frame.subarray(98) }
  const out = new Uint8Array(message.length)
  expect(state.vault().importKey.open(asImport, context, out)).toBe(false)
})

test('an answer opens for whoever asked, and for no other frame', () => {
  const { channel, operator, frameKey } = booted()
  const ask = () => sealOperatorFrame(formatOperatorMessage({ ask: 'state' }), operator, frameKey())
  const [one, other] = [ask(), ask()]
  const answer = channel(one.frame)
  expect(() => other.openAnswer(answer)).toThrow('does not open')
  expect(() => one.openAnswer(answer.map((byte, i) => (i === 20 ? byte ^ 1 : byte)))).toThrow('does not open')
  expect(() => one.openAnswer(new Uint8Array(3))).toThrow('does not open')
  // Sent again, it is answered under the same key, with an iv of its own.
  expect(Buffer.from(channel(one.frame)).equals(answer)).toBe(false)
})

test('the log has each order with its operators, and the refused ones have none', () => {
  const { order, operator } = booted()
  lines.length = 0
  order(3)
  const kid = signOrder({ version: 1, order: 'rotate', ring_id: '', boot_key: '', number: 1 }, [operator])
    .signatures[0]?.kid
  expect(lines[0]).toBe(
    JSON.stringify({ event: 'operators ordered', order: 'rotate', number: 3, operators: kid }),
  )
  lines.length = 0
  expect(refusal(() => order(3))).toBe('refused')
  expect(lines).toEqual([])
})
