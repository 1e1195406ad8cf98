import { uuidFromBytes } from '../uuid.ts'
import {
  expectEnd,
  readFixed,
  readText,
  readU8,
  readU32,
  WireError,
  type WireReader,
  type WireWriter,
  writeText,
  writeU8,
  writeU32,
  writeUuid,
} from './wire.ts'
import {
  type AgentSignAnswer,
  type AgentSignRequest,
  type ReceivedAgentSign,
  readAgentSigning,
  readJson,
  writeAgentSignRequest,
  writeJson,
} from './wire-agent.ts'
import { readSignAnswer, type SignAnswer, writeSignAnswer } from './wire-enclave.ts'

/** A receipt as the enclave signed it: the compact JWS, and what of it is stored beside it. `issuedAt`: milliseconds since 1970. */
export type WireReceipt = {
  jws: string
  receiptId: string
  kid: string
  counter: number
  issuedAt: number
}

/** Signatures, and the receipt for them. */
export type ReceiptAnswer = { signatures: SignAnswer; receipt: WireReceipt }

/**
 * What a session has spent of a counter (`Spend.counter` of @symbolon/policy) without the signature that is asked for: a decimal text.
 * The enclave keeps no sums: it is what the database says.
 */
export type SpentBefore = readonly (readonly [counter: string, amount: string])[]

/** Evaluate, sign what is allowed, and issue a receipt. */
export type AgentReceiptRequest = AgentSignRequest & { spentBefore: SpentBefore }

/** An `agentSignWithReceipt` request as the enclave reads it: `spentBefore` is still JSON. */
export type ReceivedAgentReceipt = ReceivedAgentSign & { spentBefore: string }

/** The refusal as JSON, or the signatures with their receipt. */
export type AgentReceiptAnswer = Extract<AgentSignAnswer, { refusal: string }> | ReceiptAnswer

function writeReceipt(writer: WireWriter, receipt: WireReceipt): void {
  writeJson(writer, receipt.jws)
  writeUuid(writer, receipt.receiptId)
  writeText(writer, receipt.kid)
  writeU64(writer, receipt.counter)
  writeU64(writer, receipt.issuedAt)
}

function readReceipt(reader: WireReader): WireReceipt {
  return {
    jws: readJson(reader),
    receiptId: uuidFromBytes(readFixed(reader, 16)),
    kid: readText(reader),
    counter: readU64(reader),
    issuedAt: readU64(reader),
  }
}

/** Appends the body of a `signWithReceipt` answer. */
export function writeReceiptAnswer(writer: WireWriter, { receipt, signatures }: ReceiptAnswer): void {
  writeReceipt(writer, receipt)
  writeSignAnswer(writer, signatures)
}

/** Reads the body of a `signWithReceipt` answer into copies of its own. */
export function readReceiptAnswer(reader: WireReader): ReceiptAnswer {
  return { receipt: readReceipt(reader), signatures: readSignAnswer(reader) }
}

/** Appends the body of an `agentSignWithReceipt` request. */
export function writeAgentReceiptRequest(writer: WireWriter, request: AgentReceiptRequest): void {
  writeAgentSignRequest(writer, request)
  writeJson(writer, JSON.stringify(request.spentBefore))
}

/** Reads the body of an `agentSignWithReceipt` request. */
export function readAgentReceiptRequest(reader: WireReader): ReceivedAgentReceipt {
  const request = { ...readAgentSigning(reader), spentBefore: readJson(reader) }
  expectEnd(reader)
  return request
}

/** Appends the body of an `agentSignWithReceipt` answer. */
export function writeAgentReceiptAnswer(writer: WireWriter, answer: AgentReceiptAnswer): void {
  if ('refusal' in answer) {
    writeU8(writer, 0)
    writeJson(writer, answer.refusal)
    return
  }
  writeU8(writer, 1)
  writeReceiptAnswer(writer, answer)
}

/** Reads the body of an `agentSignWithReceipt` answer into copies of its own. */
export function readAgentReceiptAnswer(reader: WireReader): AgentReceiptAnswer {
  switch (readU8(reader)) {
    case 0: {
      const refusal = readJson(reader)
      expectEnd(reader)
      return { refusal }
    }
    case 1:
      return readReceiptAnswer(reader)
    default:
      throw new WireError('unknown outcome')
  }
}

function writeU64(writer: WireWriter, value: number): void {
  writeU32(writer, Math.floor(value / 0x100000000))
  writeU32(writer, value % 0x100000000)
}

const readU64 = (reader: WireReader): number => readU32(reader) * 0x100000000 + readU32(reader)
