import {
  type AgentReceiptAnswer,
  type AgentSignAnswer,
  type EnclaveOp,
  readAgentReceiptAnswer,
  readAgentSignAnswer,
  readReceiptAnswer,
  readSignAnswer,
  type WireReader,
  type WireWriter,
  writeAgentReceiptRequest,
  writeAgentSignRequest,
  writeSignRequest,
} from '@symbolon/crypto/node'
import type { Enclave, SpentBefore } from '../ports/enclave.ts'
import { refusalFromJson } from './enclave-decision.ts'

/** Sends a request of an organization once it is its turn. */
type InTurn = <answer>(
  of: { organizationId: string },
  op: EnclaveOp,
  write: (writer: WireWriter) => void,
  read: (body: WireReader) => answer,
) => Promise<answer>

/** The signing of the enclave behind a socket: with a receipt, each is an operation of its own. */
export function enclaveSocketSigning(inTurn: InTurn): Pick<Enclave, 'sign' | 'agentSign'> {
  return {
    sign: (wallet) =>
      wallet.receipt
        ? inTurn(wallet, 'signWithReceipt', (writer) => writeSignRequest(writer, wallet), readReceiptAnswer)
        : inTurn(
            wallet,
            'sign',
            (writer) => writeSignRequest(writer, wallet),
            (body) => ({ signatures: readSignAnswer(body) }),
          ),
    agentSign: ({ receipt, ...request }) =>
      receipt
        ? inTurn(
            request,
            'agentSignWithReceipt',
            (writer) => writeAgentReceiptRequest(writer, { ...request, spentBefore: rowsOf(receipt) }),
            (body) => agentSigned(readAgentReceiptAnswer(body)),
          )
        : inTurn(
            request,
            'agentSign',
            (writer) => writeAgentSignRequest(writer, request),
            (body) => agentSigned(readAgentSignAnswer(body)),
          ),
  }
}

function agentSigned(
  answer: AgentSignAnswer | AgentReceiptAnswer,
): Awaited<ReturnType<Enclave['agentSign']>> {
  if ('refusal' in answer) return { refusal: refusalFromJson(answer.refusal) }
  return { refusal: null, ...answer }
}

const rowsOf = ({ spentBefore }: { spentBefore: readonly SpentBefore[] }) =>
  spentBefore.map(({ counter, amount }) => [counter, String(amount)] as const)
