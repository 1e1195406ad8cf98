import {
  ApiError,
  BuildUserOp,
  type ErrorCode,
  type Fail,
  type SignRequest,
  type UserOpStatus,
} from '@symbolon/api'
import { isSoundAddress } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import * as z from 'zod'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import type { EvmWallets } from '../../wallets/index.ts'
import { type AgentTool, agentTool, payingHints, type ToolContext } from './agent-tool.ts'
import { isPassing } from './agent-tools.ts'
import type { Gate } from './signing-tools.ts'

type Owner = { organization: Organization; identity: { id: string } }

/** What smart accounts do for it. */
export type OperationMaker = {
  provision(
    actor: { organization: Organization; session: AgentSessionPrincipal },
    chain: string,
    fail: Fail<ErrorCode>,
  ): Promise<unknown>
  build(
    owner: Owner,
    input: z.output<typeof BuildUserOp>,
    fail: Fail<ErrorCode>,
  ): Promise<{ user_op_hash: string }>
  /** Of an operation that was submitted; `not_found` before. */
  read(owner: Owner, hash: Hex, fail: Fail<ErrorCode>): Promise<UserOpStatus>
  submit(
    owner: Owner & { token: { hash: string; expiresAt: string }; agentSessionId: string },
    input: { hash: Hex; signature: Hex },
    fail: Fail<ErrorCode>,
  ): Promise<UserOpStatus>
}

// The session's end is checked where the signature is made; a signature that was released stays good.
const noToken = { hash: '', expiresAt: '9999-12-31T00:00:00.000Z' }

const OperationInput = z.strictObject({
  chain: BuildUserOp.shape.chain,
  calls: BuildUserOp.shape.calls.refine(
    (calls) => calls.every(({ to }) => isSoundAddress(to)),
    'the EIP-55 checksum of an address is wrong',
  ),
  sponsored: BuildUserOp.shape.sponsored,
})
type OperationInput = z.output<typeof OperationInput>

const Noted = z.object({ user_op_hash: z.string() })

/** The tool that has the wallet's smart account do something; what it builds is noted before it is submitted. */
export function userOperationTool({
  gate,
  operations,
  wallets,
}: {
  gate: Gate
  operations: OperationMaker
  wallets: EvmWallets
}): AgentTool {
  return agentTool({
    name: 'send_user_operation',
    signs: 'user_operation',
    description:
      'Has the smart account of the own wallet make calls on an EVM chain, in order, within the policy. It is made if there is none yet.',
    hints: payingHints,
    input: OperationInput,
    async run(input, context, fail) {
      const { organization, session, runId, notes } = context
      const wallet = await wallets.byId(organization.id, session.walletId)
      if (wallet === undefined) throw fail('wallet_not_found')
      const owner = { organization, identity: { id: wallet.userIdentityId } }

      const noted = Noted.safeParse(notes.at(-1))
      let hash: Hex
      if (noted.success) {
        hash = lower(noted.data.user_op_hash)
        const submitted = await submittedBefore(() => operations.read(owner, hash, fail))
        if (submitted !== undefined) return submitted
      } else {
        hash = await built(context, owner, input, fail)
        await context.note({ user_op_hash: hash })
      }
      const request = { type: 'user_operation', user_op_hash: hash, chain: input.chain } as SignRequest
      const { signature } = await gate.sign(context, request, runId === undefined ? {} : { runId }, fail)
      if (signature === undefined) throw fail('invalid_payload')
      const given = { hash, signature: lower(signature) }
      return operations.submit({ ...owner, token: noToken, agentSessionId: session.id }, given, fail)
    },
  })

  /** What cannot even be built was an attempt too, unless it is tried again. */
  async function built(
    context: ToolContext,
    owner: Owner,
    input: OperationInput,
    fail: Fail<ErrorCode>,
  ): Promise<Hex> {
    try {
      await operations.provision(context, input.chain, fail)
      const { user_op_hash } = await operations.build(owner, input, fail)
      return lower(user_op_hash)
    } catch (error) {
      if (error instanceof ApiError && error.status !== 500 && !isPassing(error)) {
        const { runId } = context
        const of = {
          type: 'user_operation',
          chain: input.chain,
          ...(runId !== undefined && { runId }),
        } as const
        await gate.failed(context, of, error.code)
      }
      throw error
    }
  }
}

/** The status that an earlier try of the call has come to, if it came so far. */
async function submittedBefore(read: () => Promise<UserOpStatus>): Promise<UserOpStatus | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

const lower = (hex: string): Hex => hex.toLowerCase() as Hex
