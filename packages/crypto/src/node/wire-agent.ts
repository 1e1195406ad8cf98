import {
  expectEnd,
  readBytes16,
  readBytes32,
  readFixed,
  readText,
  readU8,
  readU64,
  WireError,
  type WireReader,
  type WireWriter,
  writeBytes16,
  writeBytes32,
  writeFixed,
  writeText,
  writeU8,
  writeU32,
  writeU64,
  writeUuid,
} from './wire.ts'
import {
  type EnclaveCurve,
  readCurve,
  readSignAnswer,
  rowBytes,
  type SignAnswer,
  type WalletFields,
  writeCurve,
  writeSignAnswer,
  writeWallet,
} from './wire-enclave.ts'

/** What a grant is bound to: the wallet with its key, the agent session and the version of its policy. */
export type GrantFields = WalletFields & {
  sessionId: string
  policyVersion: number
  curve: EnclaveCurve
  publicKey: Uint8Array
}

/**
 * `GrantFields` as the enclave reads them: `context` is all their bytes of the wire, equal for equal fields only. Views that must not
 * be kept.
 */
export type ReceivedGrant = {
  row: Uint8Array
  curve: EnclaveCurve
  publicKey: Uint8Array
  context: Uint8Array
}

/** Make a grant of the wallet's shares and the session's layers, JSON `{organization, agent, session}`; `tokenKey` is 32 bytes. */
export type GrantRequest = GrantFields & {
  tokenKey: Uint8Array
  dataKeyB: Uint8Array
  shareA: Uint8Array
  shareB: Uint8Array
  layers: string
}

/** The grant; the effective policy as JSON, and the session's fields that other layers clip. */
export type GrantAnswer = { grant: Uint8Array; effective: string; clipped: string[] }

/**
 * The versions of the layers as they are now: of the organization's rules (0: it has none), and of the agent's policy where the session has an
 * agent. Whole numbers up to 2^53 - 1.
 */
export type LayerVersions = { rules: number; agentId: string | null; agent: number }

/** `LayerVersions` as the enclave reads them: `agentId` is 16 bytes, all zero where there is none. */
export type ReceivedVersions = { rules: number; agentId: Uint8Array; agent: number }

/**
 * Evaluate `intent` for a session. `current`: JSON `{organization, agent}` of now; `nowMs`: since 1970; `operation`: JSON of a stored
 * operation. With `explain` the decision has all its checks and effects.
 */
export type EvaluateRequest = GrantFields & {
  tokenKey: Uint8Array
  grant: Uint8Array
  current: string
  versions: LayerVersions
  nowMs: number
  explain?: true
  intent: Uint8Array
  operation?: string
}

/** Evaluate, and sign what is allowed. */
export type AgentSignRequest = EvaluateRequest & { shareA: Uint8Array; shareB: Uint8Array }

/** The refusal as JSON, or the signatures. */
export type AgentSignAnswer = { refusal: string } | { signatures: SignAnswer }

/** A `grant` request as the enclave reads it: `layers` is still UTF-8. */
export type ReceivedGrantRequest = ReceivedGrant & {
  tokenKey: Uint8Array
  dataKeyB: Uint8Array
  shareA: Uint8Array
  shareB: Uint8Array
  layers: Uint8Array
}

/**
 * An `evaluate` request as the enclave reads it: `current` is still UTF-8, `operation` is empty where there is none. `bytes` are all of it,
 * equal for equal requests only; a view that must not be kept.
 */
export type ReceivedSigningRequest = ReceivedGrant & {
  bytes: Uint8Array
  tokenKey: Uint8Array
  grant: Uint8Array
  current: Uint8Array
  versions: ReceivedVersions
  nowMs: number
  explain: boolean
  intent: Uint8Array
  operation: string
}

/** An `agentSign` request as the enclave reads it. */
export type ReceivedAgentSign = ReceivedSigningRequest & { shareA: Uint8Array; shareB: Uint8Array }

/** Longest JSON of a session's layers, and of several sets of them, in bytes. */
export const layersBytesMax: number = 256 << 10

const keyBytes = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Appends one JSON text: `bytes32` of UTF-8. */
export function writeJson(writer: WireWriter, json: string): void {
  writeBytes32(writer, Buffer.from(json, 'utf8'))
}

/** Reads one JSON text. */
export function readJson(reader: WireReader): string {
  try {
    return utf8.decode(readBytes32(reader))
  } catch (error) {
    throw error instanceof WireError ? error : new WireError('text is not UTF-8')
  }
}

function writeKey(writer: WireWriter, key: Uint8Array): void {
  if (key.length !== keyBytes) throw new WireError('key is not 32 bytes')
  writeFixed(writer, key)
}

const readKey = (reader: WireReader) => readFixed(reader, keyBytes)

/** Appends what a grant is bound to. */
export function writeGrantFields(writer: WireWriter, request: GrantFields): void {
  writeWallet(writer, request)
  writeUuid(writer, request.sessionId)
  writeU32(writer, request.policyVersion)
  writeCurve(writer, request.curve)
  writeBytes16(writer, request.publicKey)
}

function readGrantFields(reader: WireReader): ReceivedGrant {
  const start = reader.offset
  const row = readFixed(reader, rowBytes)
  readFixed(reader, 16 + 4)
  const curve = readCurve(reader)
  const publicKey = readBytes16(reader)
  return { row, curve, publicKey, context: reader.bytes.subarray(start, reader.offset) }
}

/** Appends the body of a `grant` request. */
export function writeGrantRequest(writer: WireWriter, request: GrantRequest): void {
  writeGrantFields(writer, request)
  writeKey(writer, request.tokenKey)
  writeKey(writer, request.dataKeyB)
  writeBytes16(writer, request.shareA)
  writeBytes16(writer, request.shareB)
  writeJson(writer, request.layers)
}

/** Reads the body of a `grant` request. */
export function readGrantRequest(reader: WireReader): ReceivedGrantRequest {
  const request = {
    ...readGrantFields(reader),
    tokenKey: readKey(reader),
    dataKeyB: readKey(reader),
    shareA: readBytes16(reader),
    shareB: readBytes16(reader),
    layers: readBytes32(reader),
  }
  expectEnd(reader)
  return request
}

/** Appends the body of a `grant` answer. */
export function writeGrantAnswer(writer: WireWriter, answer: GrantAnswer): void {
  writeBytes32(writer, answer.grant)
  writeJson(writer, answer.effective)
  writeU8(writer, answer.clipped.length)
  for (const field of answer.clipped) writeText(writer, field)
}

/** Reads the body of a `grant` answer into copies of its own. */
export function readGrantAnswer(reader: WireReader): GrantAnswer {
  const grant = Uint8Array.from(readBytes32(reader))
  const effective = readJson(reader)
  const clipped = Array.from({ length: readU8(reader) }, () => readText(reader))
  expectEnd(reader)
  return { grant, effective, clipped }
}

function writeSigningRequest(writer: WireWriter, request: EvaluateRequest): void {
  writeGrantFields(writer, request)
  writeKey(writer, request.tokenKey)
  writeBytes32(writer, request.grant)
  writeJson(writer, request.current)
  writeVersions(writer, request.versions)
  writeU64(writer, Math.floor(request.nowMs))
  writeU8(writer, request.explain ? 1 : 0)
  writeBytes32(writer, request.intent)
  writeJson(writer, request.operation ?? '')
}

function readSigningRequest(reader: WireReader): ReceivedSigningRequest {
  const start = reader.offset
  const request = {
    ...readGrantFields(reader),
    tokenKey: readKey(reader),
    grant: readBytes32(reader),
    current: readBytes32(reader),
    versions: readVersions(reader),
    nowMs: readU64(reader),
    explain: readFlag(reader),
    intent: readBytes32(reader),
    operation: readJson(reader),
  }
  return { ...request, bytes: reader.bytes.subarray(start, reader.offset) }
}

const noAgentId = '00000000-0000-0000-0000-000000000000'

function writeVersions(writer: WireWriter, { rules, agentId, agent }: LayerVersions): void {
  writeU64(writer, rules)
  writeUuid(writer, agentId ?? noAgentId)
  writeU64(writer, agent)
}

const readVersions = (reader: WireReader): ReceivedVersions => ({
  rules: readU64(reader),
  agentId: readFixed(reader, 16),
  agent: readU64(reader),
})

function readFlag(reader: WireReader): boolean {
  const flag = readU8(reader)
  if (flag > 1) throw new WireError('unknown flags')
  return flag === 1
}

/** Appends the body of an `evaluate` request. */
export function writeEvaluateRequest(writer: WireWriter, request: EvaluateRequest): void {
  writeSigningRequest(writer, request)
}

/** Reads the body of an `evaluate` request. */
export function readEvaluateRequest(reader: WireReader): ReceivedSigningRequest {
  const request = readSigningRequest(reader)
  expectEnd(reader)
  return request
}

/** Appends the body of an `agentSign` request. */
export function writeAgentSignRequest(writer: WireWriter, request: AgentSignRequest): void {
  writeSigningRequest(writer, request)
  writeBytes16(writer, request.shareA)
  writeBytes16(writer, request.shareB)
}

/** Reads the body of an `agentSign` request. */
export function readAgentSignRequest(reader: WireReader): ReceivedAgentSign {
  const request = readAgentSigning(reader)
  expectEnd(reader)
  return request
}

/** Reads what `writeAgentSignRequest` appends, and leaves what follows. */
export function readAgentSigning(reader: WireReader): ReceivedAgentSign {
  return { ...readSigningRequest(reader), shareA: readBytes16(reader), shareB: readBytes16(reader) }
}

/** Appends the body of an `agentSign` answer. */
export function writeAgentSignAnswer(writer: WireWriter, answer: AgentSignAnswer): void {
  if ('refusal' in answer) {
    writeU8(writer, 0)
    writeJson(writer, answer.refusal)
    return
  }
  writeU8(writer, 1)
  writeSignAnswer(writer, answer.signatures)
}

/** Reads the body of an `agentSign` answer into copies of its own. */
export function readAgentSignAnswer(reader: WireReader): AgentSignAnswer {
  switch (readU8(reader)) {
    case 0: {
      const refusal = readJson(reader)
      expectEnd(reader)
      return { refusal }
    }
    case 1:
      return { signatures: readSignAnswer(reader) }
    default:
      throw new WireError('unknown outcome')
  }
}

/** Appends a body that is one JSON text: a decision, layers, effective policies. */
export function writeJsonBody(writer: WireWriter, json: string): void {
  writeJson(writer, json)
}

/** Reads a body that is one JSON text. */
export function readJsonBody(reader: WireReader): string {
  const json = readJson(reader)
  expectEnd(reader)
  return json
}
