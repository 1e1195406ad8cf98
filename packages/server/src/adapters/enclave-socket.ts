import {
  type EnclaveOp,
  expectEnd,
  readAttestAnswer,
  readBytes16,
  readExportAnswer,
  readGenerateAnswer,
  readGrantAnswer,
  readImportKeyAnswer,
  readJsonBody,
  readOperatorFrame,
  readStatusAnswer,
  readTakeMarksAnswer,
  type StatusAnswer,
  type WireReader,
  type WireWriter,
  writeAttestRequest,
  writeEvaluateRequest,
  writeExportRequest,
  writeGenerateRequest,
  writeGrantRequest,
  writeImportKeyRequest,
  writeImportRequest,
  writeJsonBody,
  writeNoteRequest,
  writeOperatorFrame,
  writeRewrapRequest,
  writeTakeMarksRequest,
} from '@symbolon/crypto/node'
import type { Enclave } from '../ports/enclave.ts'
import { decisionFromJson } from './enclave-decision.ts'
import type { EnclaveSocketInput } from './enclave-socket-input.ts'
import { type EnclaveSocketLink, enclaveSocketLink } from './enclave-socket-link.ts'
import { enclaveSocketSigning } from './enclave-socket-signing.ts'
import { enclaveSocketTurns } from './enclave-socket-turns.ts'

/**
 * The enclave behind a unix socket. Connects on first use and again by itself, verifies the attestation each time;
 * requests that come while it is out of reach wait up to 1 s for it. Organizations take
 * turns. The protocol is packages/enclave/SPEC.md.
 */
export function enclaveSocket(input: EnclaveSocketInput): Enclave {
  const link = enclaveSocketLink(input)
  const turns = enclaveSocketTurns(link)

  const call = <answer>(
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
  ): Promise<answer> => link.request(op, write, read)
  const inTurn = <answer>(
    { organizationId }: { organizationId: string },
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
  ): Promise<answer> => turns.request(organizationId, op, write, read)

  return {
    generate: (wallet) =>
      inTurn(wallet, 'generate', (writer) => writeGenerateRequest(writer, wallet), readGenerateAnswer),
    ...enclaveSocketSigning(inTurn),
    export: (wallet) =>
      inTurn(wallet, 'export', (writer) => writeExportRequest(writer, wallet), readExportAnswer),
    importKey: (wallet) =>
      inTurn(wallet, 'importKey', (writer) => writeImportKeyRequest(writer, wallet), readImportKeyAnswer),
    import: (wallet) =>
      inTurn(wallet, 'import', (writer) => writeImportRequest(writer, wallet), readGenerateAnswer),
    grant: (session) =>
      inTurn(session, 'grant', (writer) => writeGrantRequest(writer, session), readGrantAnswer),
    evaluate: (request) =>
      inTurn(
        request,
        'evaluate',
        (writer) => writeEvaluateRequest(writer, request),
        (body) => decisionFromJson(readJsonBody(body)),
      ),
    note: (mark) => inTurn(mark, 'note', (writer) => writeNoteRequest(writer, mark), expectEnd),
    takeMarks: (stored) => takeMarks(link, input, stored),
    effective: (question) =>
      inTurn(question, 'effective', (writer) => writeJsonBody(writer, question.layers), readJsonBody),
    rewrap: (wallet) =>
      inTurn(
        wallet,
        'rewrap',
        (writer) => writeRewrapRequest(writer, wallet),
        (body) => ({ shareA: Uint8Array.from(lastOf(body, readBytes16)) }),
      ),
    attest: (nonce) => call('attest', (writer) => writeAttestRequest(writer, { nonce }), readAttestAnswer),
    operator: (frame) => call('operator', (writer) => writeOperatorFrame(writer, frame), readOperatorFrame),
    async status() {
      const { phase, ringId, keyVersionA, hasUnstoredMarks } = await factsOf(link)
      return { phase, ringId, keyVersionA, hasUnstoredMarks, ...link.attested() }
    },
    close() {
      turns.close()
      return link.close()
    },
  }
}

async function takeMarks(link: EnclaveSocketLink, { onMarks }: EnclaveSocketInput, stored: number) {
  const write = (writer: WireWriter) => writeTakeMarksRequest(writer, stored)
  const segment = await link.request('takeMarks', write, readTakeMarksAnswer)
  if (segment !== undefined) onMarks?.(segment)
  return segment
}

/** The enclave's phase and ring; without a ring it says them before there is a channel. */
const factsOf = (link: EnclaveSocketLink): Promise<Omit<StatusAnswer, 'signers'>> =>
  link.request<Omit<StatusAnswer, 'signers'>>('status', nothing, readStatusAnswer, (facts) => ({
    ...facts,
    hasUnstoredMarks: false,
  }))

function nothing(): void {}

function lastOf<value>(body: WireReader, read: (body: WireReader) => value): value {
  const value = read(body)
  expectEnd(body)
  return value
}
