import { ShareError } from '@symbolon/crypto'
import {
  type EnclaveOp,
  type EnclaveStatus,
  EnvelopeError,
  enclaveOps,
  expectEnd,
  parseEnvelope,
  readAgentReceiptRequest,
  readAgentSignRequest,
  readAttestRequest,
  readBytes32,
  readEvaluateRequest,
  readExportRequest,
  readGenerateRequest,
  readGrantRequest,
  readImportKeyRequest,
  readImportRequest,
  readLoadMarksRequest,
  readNoteRequest,
  readOperatorFrame,
  readRewrapRequest,
  readSignRequest,
  readTakeMarksRequest,
  rewrapEnvelope,
  rowContext,
  WireError,
  type WireReader,
  type WireWriter,
  writeAgentReceiptAnswer,
  writeAgentSignAnswer,
  writeBytes16,
  writeExportAnswer,
  writeGenerateAnswer,
  writeGrantAnswer,
  writeJsonBody,
  writeOperatorFrame,
  writeReceiptAnswer,
  writeSignAnswer,
  writeStatusAnswer,
  writeTakeMarksAnswer,
} from '@symbolon/crypto/node'
import { NetworkError } from '@symbolon/networks'
import { agentEvaluate, agentSign, agentSignWithReceipt } from './agent-sign.ts'
import { attest, type PublicAttestation } from './attest.ts'
import { decisionJson } from './decision-json.ts'
import { EnclaveFault } from './enclave-fault.ts'
import type { EnclaveLog } from './enclave-log.ts'
import type { EnclaveState } from './enclave-state.ts'
import { exportKey } from './export-key.ts'
import { generate } from './generate.ts'
import { effective, grant } from './grant.ts'
import { importKey } from './import-key.ts'
import { offerImportKey } from './offer-import-key.ts'
import { operatorChannel } from './operator/operator-channel.ts'
import type { ReceiptIssuer } from './receipt-issuer.ts'
import { sign, signWithReceipt } from './sign.ts'

/** An answer that this turn of the event loop cannot have: how it ends, with its body. */
export type LateAnswer = Promise<{ status: EnclaveStatus; body: Uint8Array }>

/**
 * Runs one request and writes the body of its answer, or promises both for later. Only a request that does not have the shape
 * of its operation throws (`WireError`: the connection is dropped); every other failure is a status with an empty body.
 */
export type Dispatch = (code: number, body: WireReader, answer: WireWriter) => EnclaveStatus | LateAnswer

const opNames = new Map<number, EnclaveOp>(
  Object.entries(enclaveOps).map(([name, code]) => [code, name as EnclaveOp]),
)

type Run = (state: EnclaveState, body: WireReader, answer: WireWriter, receipts: ReceiptIssuer) => void

const nothing = new Uint8Array(0)
// The secure module answers one after the other.
const attestationsMax = 32

const runs: Record<Exclude<EnclaveOp, 'importKey' | 'attest' | 'operator'>, Run> = {
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
  signWithReceipt(state, body, answer, receipts) {
    writeReceiptAnswer(answer, signWithReceipt(state.vault(), receipts, readSignRequest(body)))
  },
  export(state, body, answer) {
    writeExportAnswer(answer, exportKey(state.vault(), readExportRequest(body)))
  },
  import(state, body, answer) {
    writeGenerateAnswer(answer, importKey(state.vault(), readImportRequest(body)))
  },
  rewrap(state, body, answer) {
    const request = readRewrapRequest(body)
    const { wrappedKey } = parseEnvelope(request.shareA)
    const rewrapped = state.vault().ring.keys.rewrap(wrappedKey, rowContext(request.row, 'tee-a'))
    writeBytes16(answer, rewrapEnvelope(request.shareA, rewrapped))
  },
  grant(state, body, answer) {
    writeGrantAnswer(answer, grant(state.vault(), readGrantRequest(body)))
  },
  evaluate(state, body, answer) {
    writeJsonBody(answer, decisionJson(agentEvaluate(state.vault(), readEvaluateRequest(body))))
  },
  agentSign(state, body, answer) {
    writeAgentSignAnswer(answer, agentSign(state.vault(), readAgentSignRequest(body)))
  },
  agentSignWithReceipt(state, body, answer, receipts) {
    const request = readAgentReceiptRequest(body)
    writeAgentReceiptAnswer(answer, agentSignWithReceipt(state.vault(), receipts, request))
  },
  note(state, body) {
    state.vault().marks.note(readNoteRequest(body))
  },
  takeMarks(state, body, answer) {
    writeTakeMarksAnswer(answer, state.vault().marks.take(readTakeMarksRequest(body)))
  },
  loadMarks(state, body) {
    state.loadMarks(readLoadMarksRequest(body))
  },
  effective(state, body, answer) {
    writeJsonBody(answer, effective(lastBytes32(body), state.names))
  },
}

function lastBytes32(body: WireReader): Uint8Array {
  const bytes = readBytes32(body)
  expectEnd(body)
  return bytes
}

/** What operations need beside the state: what is the boot's and not the ring's. */
export type DispatchInput = {
  state: EnclaveState
  attestation: PublicAttestation
  receipts: ReceiptIssuer
  log: EnclaveLog
}

/** The only place where operations meet phases and errors become statuses. */
export function dispatcher({ state, attestation, receipts, log }: DispatchInput): Dispatch {
  let attestations = 0
  const ordered = operatorChannel(state, attestation.channelKey, log)

  return (code, body, answer) => {
    const op = opNames.get(code)
    if (op === undefined) throw new WireError('unknown operation')
    if (!state.phases.allows(op)) return 'unavailable'
    if (op === 'importKey') return offer(body)
    if (op === 'attest') return attestPublicly(body)
    try {
      if (op === 'operator') writeOperatorFrame(answer, ordered(readOperatorFrame(body)))
      else runs[op](state, body, answer, receipts)
      return 'ok'
    } catch (error) {
      if (error instanceof WireError) throw error
      return statusOf(error, op)
    }
  }

  function offer(body: WireReader): EnclaveStatus | LateAnswer {
    const request = readImportKeyRequest(body)
    if (attestations >= attestationsMax) return 'unavailable'
    const vault = state.vault()
    attestations += 1
    return offerImportKey(vault, attestation.attestor, request)
      .then(
        (answer) => ({ status: 'ok' as const, body: answer }),
        (error: unknown) => ({ status: statusOf(error, 'importKey'), body: nothing }),
      )
      .finally(() => {
        attestations -= 1
      })
  }

  function attestPublicly(body: WireReader): LateAnswer {
    const request = readAttestRequest(body)
    return attest(attestation, state.vault(), request).then(
      (answer) =>
        answer === undefined ? { status: 'unavailable', body: nothing } : { status: 'ok', body: answer },
      (error: unknown) => ({ status: statusOf(error, 'attest'), body: nothing }),
    )
  }

  function statusOf(error: unknown, op: EnclaveOp): EnclaveStatus {
    if (error instanceof NetworkError) return 'invalid_payload'
    if (error instanceof EnclaveFault) return error.status
    // Not the row's fault, so that the client does not take it for altered: this enclave has another ring, or an older state of it.
    if (error instanceof EnvelopeError && error.code === 'unknown_key') return 'unknown_key'
    if (error instanceof EnvelopeError || error instanceof ShareError) return 'refused'
    const name = error instanceof Error ? error.name : typeof error
    if (name === 'IntegrityFault') state.seal('integrity fault')
    // The message of a foreign error could quote its input, so that only its name is written.
    log('operation failed', { op, error: name })
    return 'unavailable'
  }
}
