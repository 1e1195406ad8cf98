import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { uuidToBytes } from '../uuid.ts'
import { WireError, type WireWriter, wireReader, wireWriter, writtenBytes } from './wire.ts'
import {
  readAgentSignAnswer,
  readAgentSignRequest,
  readEvaluateRequest,
  readGrantAnswer,
  readGrantRequest,
  readJsonBody,
  writeAgentSignAnswer,
  writeAgentSignRequest,
  writeEvaluateRequest,
  writeGrantAnswer,
  writeGrantFields,
  writeGrantRequest,
  writeJsonBody,
} from './wire-agent.ts'

const fields = {
  organizationId: randomUUID(),
  walletId: randomUUID(),
  polynomialVersion: 3,
  sessionId: randomUUID(),
  policyVersion: 70_000,
  curve: 'secp256k1' as const,
  publicKey: randomBytes(33),
}
const shares = { shareA: randomBytes(150), shareB: randomBytes(151) }
const tokenKey = randomBytes(32)
const signingRequest = {
  ...fields,
  tokenKey,
  grant: randomBytes(70_000),
  current: '{"agent":"é"}',
  versions: { rules: 7, agentId: randomUUID(), agent: 2 ** 33 + 1 },
  nowMs: Date.UTC(2099, 1, 3) + 1,
  explain: true as const,
  intent: randomBytes(90),
  operation: '{"chain":"base"}',
}

const written = (write: (writer: WireWriter) => void): Uint8Array => {
  const writer = wireWriter(64)
  write(writer)
  return Uint8Array.from(writtenBytes(writer))
}
const context = written((writer) => writeGrantFields(writer, fields))
const received = {
  row: context.subarray(0, 36),
  curve: fields.curve,
  publicKey: Uint8Array.from(fields.publicKey),
  context,
}
const plain = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (field instanceof Uint8Array) return [key, [...field]]
      return [key, key === 'versions' ? plain(field) : field]
    }),
  )

test('a request is read as it was written, and what its grant is bound to are its first bytes', () => {
  const evaluated = written((writer) => writeEvaluateRequest(writer, signingRequest))
  const { grant, nowMs, explain, intent, operation } = signingRequest
  const current = Buffer.from(signingRequest.current)
  const versions = { rules: 7, agentId: uuidToBytes(signingRequest.versions.agentId), agent: 2 ** 33 + 1 }
  const asked = { bytes: evaluated, tokenKey, grant, current, versions, nowMs, explain, intent, operation }
  expect(plain(readEvaluateRequest(wireReader(evaluated)))).toEqual(plain({ ...received, ...asked }))
  expect(evaluated.subarray(0, context.length)).toEqual(context)
  expect([...context.subarray(36, 52)]).toEqual([...uuidToBytes(fields.sessionId)])

  const sign = written((writer) => writeAgentSignRequest(writer, { ...signingRequest, ...shares }))
  expect(plain(readAgentSignRequest(wireReader(sign)))).toEqual(plain({ ...received, ...asked, ...shares }))

  const dataKeyB = randomBytes(32)
  const making = { ...fields, ...shares, tokenKey, dataKeyB, layers: '{}' }
  const grants = written((writer) => writeGrantRequest(writer, making))
  expect(plain(readGrantRequest(wireReader(grants)))).toEqual(
    plain({ ...received, ...shares, tokenKey, dataKeyB, layers: Buffer.from('{}') }),
  )
})

test('a signing request without operation and explanation says so', () => {
  const { explain: _, operation: __, ...bare } = signingRequest
  const read = readEvaluateRequest(wireReader(written((writer) => writeEvaluateRequest(writer, bare))))
  expect(read).toMatchObject({ explain: false, operation: '' })
})

test('answers are read as they were written', () => {
  const grant = { grant: randomBytes(9), effective: '{"a":"ü"}', clipped: ['expires_at', 'allowed_chains'] }
  const made = readGrantAnswer(wireReader(written((writer) => writeGrantAnswer(writer, grant))))
  expect(plain(made)).toEqual(plain(grant))
  const refusal = { refusal: '{"reason":"x"}' }
  const signatures = { signatures: [{ signature: new Uint8Array(64).fill(7), recovery: 1 }] as const }
  for (const answer of [
    refusal,
    { signatures: [...signatures.signatures] as [{ signature: Uint8Array; recovery: number }] },
  ]) {
    expect(
      readAgentSignAnswer(wireReader(written((writer) => writeAgentSignAnswer(writer, answer)))),
    ).toEqual(answer)
  }
  expect(readJsonBody(wireReader(written((writer) => writeJsonBody(writer, '[1]'))))).toBe('[1]')
})

test('every cut, every rest and every unknown flag is malformed', () => {
  const bytes = written((writer) =>
    writeAgentSignRequest(writer, { ...signingRequest, grant: randomBytes(40), ...shares }),
  )
  const read = (body: Uint8Array) => readAgentSignRequest(wireReader(body))
  for (let end = 0; end < bytes.length; end++) expect(() => read(bytes.subarray(0, end))).toThrow(WireError)
  expect(() => read(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(WireError)
  const flag = bytes.length - (4 + 90 + 4 + 16 + 2 + 150 + 2 + 151) - 1
  expect(bytes[flag]).toBe(1)
  const wrong = Uint8Array.from(bytes)
  wrong[flag] = 2
  expect(() => read(wrong)).toThrow(WireError)
  expect(() => readAgentSignAnswer(wireReader(Uint8Array.of(2)))).toThrow(WireError)
  expect(() => readJsonBody(wireReader(Uint8Array.of(0, 0, 0, 1, 0xff)))).toThrow(WireError)
})
