import { ShareError } from '@symbolon/crypto'
import {
  type EnclaveOp,
  type EnclaveStatus,
  EnvelopeError,
  enclaveOps,
  expectEnd,
  parseEnvelope,
  readGenerateRequest,
  readRewrapRequest,
  readSignRequest,
  rewrapEnvelope,
  rowContext,
  WireError,
  type WireReader,
  type WireWriter,
  writeBytes16,
  writeGenerateAnswer,
  writeSignAnswer,
  writeStatusAnswer,
  writeU32,
} from '@symbolon/crypto/node'
import { NetworkError } from '@symbolon/networks'
import { EnclaveFault } from './enclave-fault.ts'
import type { EnclaveLog } from './enclave-log.ts'
import type { EnclaveState } from './enclave-state.ts'
import { generate } from './generate.ts'
import { sign } from './sign.ts'

/**
 * Runs one request and writes the body of its answer. Only a request that does not have the shape of its operation
 * throws (`WireError`: the connection is dropped); every other failure is a status with an empty body.
 */
export type Dispatch = (code: number, body: WireReader, answer: WireWriter) => EnclaveStatus

const opNames = new Map<number, EnclaveOp>(
  Object.entries(enclaveOps).map(([name, code]) => [code, name as EnclaveOp]),
)

type Run = (state: EnclaveState, body: WireReader, answer: WireWriter) => void

const runs: Record<EnclaveOp, Run> = {
  status(state, body, answer) {
    expectEnd(body)
    writeStatusAnswer(answer, state.status())
  },
  generate(state, body, answer) {
    writeGenerateAnswer(answer, generate(state.vault(), readGenerateRequest(body)))
  },
  sign(state, body, answer) {
    writeSignAnswer(answer, sign(state.vault(), readSignRequest(body)))
  },
  rewrap(state, body, answer) {
    const request = readRewrapRequest(body)
    const { wrappedKey } = parseEnvelope(request.shareA)
    const rewrapped = state.vault().ring.rewrap(wrappedKey, rowContext(request.row, 'tee-a'))
    writeBytes16(answer, rewrapEnvelope(request.shareA, rewrapped))
  },
  rotate(state, body, answer) {
    expectEnd(body)
    writeU32(answer, state.rotate())
  },
  seal(state, body) {
    expectEnd(body)
    state.seal('asked to')
  },
}

/** The only place where operations meet phases and errors become statuses. */
export function dispatcher(state: EnclaveState, log: EnclaveLog): Dispatch {
  return (code, body, answer) => {
    const op = opNames.get(code)
    if (op === undefined) throw new WireError('unknown operation')
    if (!state.phases.allows(op)) return 'unavailable'
    try {
      runs[op](state, body, answer)
      return 'ok'
    } catch (error) {
      if (error instanceof WireError) throw error
      return statusOf(error, op)
    }
  }

  function statusOf(error: unknown, op: EnclaveOp): EnclaveStatus {
    if (error instanceof NetworkError) return 'invalid_payload'
    if (error instanceof EnclaveFault) return error.status
    if (error instanceof EnvelopeError || error instanceof ShareError) return 'refused'
    const name = error instanceof Error ? error.name : typeof error
    if (name === 'IntegrityFault') state.seal('integrity fault')
    // The message of a foreign error could quote its input, so that only its name is written.
    log('operation failed', { op, error: name })
    return 'unavailable'
  }
}
