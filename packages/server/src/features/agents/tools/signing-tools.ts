import {
  bodyBytesMax,
  ChainHandle,
  SendAgentTransaction,
  type SignRequest,
  WantsReceipt,
} from '@symbolon/api'
import { isSoundAddress } from '@symbolon/networks'
import * as z from 'zod'
import { mapResult } from '../../../runtime/failure.ts'
import { agentSend, sentToWire } from '../signing/agent-send.ts'
import { agentSign } from '../signing/agent-sign.ts'
import type { SigningCtx } from '../signing/signing-ctx.ts'
import { type AgentTool, agentTool, payingHints } from './agent-tool.ts'
import { sendingChains, signingChains } from './tool-holder.ts'

/** The tools that sign a message or send a transaction. */
export const signingTools = (signing: SigningCtx): readonly AgentTool[] => [
  agentTool({
    name: 'sign_message',
    signs: 'message',
    chainsFor: (holder) => signingChains(holder, 'signMessage').map(({ handle }) => handle),
    description: 'Signs a message with your wallet, within the policy.',
    skill: { name: 'Sign messages', description: 'Signs messages with its wallet, within its policy.' },
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({
      message: z.string().max(65_536),
      encoding: z.enum(['utf8', 'hex', 'base64']).optional(),
      chain: ChainHandle.optional(),
      receipt: WantsReceipt.optional(),
    }),
    async run({ message, encoding = 'utf8', chain, receipt }, { actor, runId }) {
      const body = {
        type: 'message',
        message,
        encoding,
        ...(chain !== undefined && { chain }),
        ...(receipt !== undefined && { receipt }),
      } as SignRequest
      return mapResult(await agentSign(signing, { actor, body, runId }), (signed) => ({
        signature: signed.signature,
        encoding: signed.encoding,
        address: signed.address,
        chain: signed.chain,
        ...(signed.receipt !== undefined && { receipt: signed.receipt }),
      }))
    },
  }),
  agentTool({
    name: 'send_transaction',
    signs: 'transaction',
    isContinued: true,
    argumentsBytesMax: bodyBytesMax,
    chainsFor: (holder) =>
      sendingChains(holder).flatMap(({ handle }) => (signing.evm.chains.has(handle) ? [handle] : [])),
    description:
      'Prepares, signs and broadcasts a transaction on an EVM chain, within the policy. `value` is in wei, decimal.',
    skill: {
      name: 'Send transactions',
      description: 'Sends transactions on EVM chains from its wallet, within its policy.',
    },
    hints: payingHints,
    input: z.strictObject({
      ...SendAgentTransaction.shape,
      to: SendAgentTransaction.shape.to.refine(isSoundAddress, 'the EIP-55 checksum is wrong'),
    }),
    async run(input, { actor, runId, call: { key, keyHours } }) {
      const sent = await agentSend(signing, { actor, input, runId, key, keyHours })
      return mapResult(sent, sentToWire)
    },
  }),
]
