import {
  ChainHandle,
  type ErrorCode,
  type Fail,
  SendAgentTransaction,
  type SentAgentTransaction,
  type SignRequest,
  type SignResponse,
} from '@symbolon/api'
import { isSoundAddress } from '@symbolon/networks'
import * as z from 'zod'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import { type AgentTool, agentTool, payingHints } from './agent-tool.ts'

type Actor = { organization: Organization; session: AgentSessionPrincipal }

/** The one gate that every signature of an agent passes. */
export type Gate = {
  sign(
    actor: Actor,
    request: SignRequest,
    options: { walletId?: string; runId?: string },
    fail: Fail<ErrorCode>,
  ): Promise<SignResponse>
  /** `attemptKey`: the same one again is the same transaction, sent once; for so many hours, or for good. */
  send(
    actor: Actor,
    transaction: SendAgentTransaction,
    options: { runId?: string; attemptKey?: string; attemptHours?: number },
    fail: Fail<ErrorCode>,
  ): Promise<z.output<typeof SentAgentTransaction>>
  /** An attempt that failed before there was anything to sign. */
  failed(
    actor: Actor,
    request: { type: SignRequest['type']; chain: string; runId?: string },
    code: ErrorCode,
  ): Promise<void>
}

/** The tools that sign a message or send a transaction. */
export function signingTools({ gate }: { gate: Gate }): readonly AgentTool[] {
  return [
    agentTool({
      name: 'sign_message',
      signs: 'message',
      description: 'Signs a message with the own wallet, within the policy.',
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      input: z.strictObject({
        message: z.string().max(65_536),
        encoding: z.enum(['utf8', 'hex', 'base64']).optional(),
        chain: ChainHandle.optional(),
      }),
      async run({ message, encoding = 'utf8', chain }, { organization, session, runId }, fail) {
        const request = {
          type: 'message',
          message,
          encoding,
          ...(chain !== undefined && { chain }),
        } as SignRequest
        const options = runId === undefined ? {} : { runId }
        const {
          signature,
          address,
          chain: signedFor,
          encoding: form,
        } = await gate.sign({ organization, session }, request, options, fail)
        return { signature, encoding: form, address, chain: signedFor }
      },
    }),
    agentTool({
      name: 'send_transaction',
      signs: 'transaction',
      description:
        'Prepares, signs and broadcasts a transaction on an EVM chain, within the policy. `value` is in wei, decimal.',
      hints: payingHints,
      input: z.strictObject({
        ...SendAgentTransaction.shape,
        to: SendAgentTransaction.shape.to.refine(isSoundAddress, 'the EIP-55 checksum is wrong'),
      }),
      run: (transaction, { organization, session, runId, attemptKey, attemptHours }, fail) =>
        gate.send(
          { organization, session },
          transaction,
          {
            attemptKey,
            ...(attemptHours !== undefined && { attemptHours }),
            ...(runId !== undefined && { runId }),
          },
          fail,
        ),
    }),
  ]
}
