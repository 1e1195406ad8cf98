import { BuildUserOp, type SignRequest, type UserOpStatus, WantsReceipt } from '@symbolon/api'
import { isSoundAddress } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import * as z from 'zod'
import type { Organization } from '../../../http/principal.ts'
import { type Failure, failure, isFailure, mapResult } from '../../../runtime/failure.ts'
import type { EvmWallets } from '../../wallets/index.ts'
import { agentSign } from '../signing/agent-sign.ts'
import { recordFailed } from '../signing/failed-requests.ts'
import type { SigningCtx } from '../signing/signing-ctx.ts'
import type { AgentActor } from '../signing/signing-request.ts'
import { type AgentTool, agentTool, payingHints, type ToolContext } from './agent-tool.ts'
import { isPassing } from './agent-tools.ts'
import { sendingChains } from './tool-holder.ts'

type Owner = { organization: Organization; identity: { id: string } }

/** Smart accounts and their operations, as the tool uses them. */
export type OperationMaker = {
  provision(actor: AgentActor, chain: string): Promise<unknown>
  build(owner: Owner, input: z.output<typeof BuildUserOp>): Promise<{ user_op_hash: string } | Failure>
  /** A submitted operation; `not_found` before. */
  read(owner: Owner, hash: Hex): Promise<UserOpStatus | Failure>
  /** Ends an operation that nobody submitted, and gives back what was reserved for it. */
  giveUp(owner: Owner, hash: Hex): Promise<void>
  submit(
    owner: Owner & { token: { hash: string; expiresAt: string }; agentSessionId: string },
    input: { hash: Hex; signature: Hex },
  ): Promise<UserOpStatus | Failure>
}

/** What the tool works with. */
export type OperationToolCtx = { signing: SigningCtx; operations: OperationMaker; wallets: EvmWallets }

const OperationInput = z.strictObject({
  chain: BuildUserOp.shape.chain,
  calls: BuildUserOp.shape.calls.refine(
    (calls) => calls.every(({ to }) => isSoundAddress(to)),
    'the EIP-55 checksum of an address is wrong',
  ),
  sponsored: BuildUserOp.shape.sponsored,
  receipt: WantsReceipt.optional(),
})
type OperationInput = z.output<typeof OperationInput>
/** An operation's status, with the receipt of its signature where there is one. */
type OperationOutcome = UserOpStatus & { receipt?: string }

/** The tool that has the wallet's smart account make calls. */
export const userOperationTool = (ctx: OperationToolCtx): AgentTool =>
  agentTool({
    name: 'send_user_operation',
    signs: 'user_operation',
    isContinued: true,
    chainsFor: (holder) =>
      sendingChains(holder).flatMap(({ handle }) =>
        ctx.signing.evm.chains.get(handle)?.bundler === undefined ? [] : [handle],
      ),
    description:
      'Makes calls from your smart account on an EVM chain, in order, within the policy. Creates the account if needed.',
    skill: {
      name: 'Make calls from a smart account',
      description: 'Makes calls on EVM chains from its smart account, within its policy.',
    },
    hints: payingHints,
    input: OperationInput,
    run: (input, context) => sendOperation(ctx, input, context),
  })

// The session's end is checked where the signature is made; a signature that was released stays valid.
const noToken = { hash: '', expiresAt: '9999-12-31T00:00:00.000Z' }

/** Builds, signs and submits an operation. The built one is noted before it is signed, so that a repeated call continues with it. */
async function sendOperation(
  ctx: OperationToolCtx,
  input: OperationInput,
  context: ToolContext,
): Promise<OperationOutcome | Failure> {
  const { actor, runId, call } = context
  const { organization, session } = actor
  const wallet = await ctx.wallets.byId(organization.id, session.walletId)
  if (wallet === undefined) return failure('wallet_not_found')
  const owner = { organization, identity: { id: wallet.userIdentityId } }

  const { receipt: isWanted, ...calls } = input
  const noted = notedOperation(call.notes.at(-1))
  let hash = noted && lower(noted.user_op_hash)
  if (hash !== undefined) {
    const submitted = await ctx.operations.read(owner, hash)
    if (!isFailure(submitted) || submitted.code !== 'not_found')
      return mapResult(submitted, (status) => outcomeOf(status, noted?.receipt))
  } else {
    const built = await build(ctx, owner, calls, context)
    if (isFailure(built)) return built
    hash = lower(built.user_op_hash)
    await call.note({ user_op_hash: hash })
  }

  const body = {
    type: 'user_operation',
    user_op_hash: hash,
    chain: input.chain,
    ...(isWanted !== undefined && { receipt: isWanted }),
  } as SignRequest
  const signed = await agentSign(ctx.signing, { actor, body, runId })
  if (isFailure(signed)) {
    // What the policy refuses is never submitted: it would hold gas that its owner was promised.
    if (!isPassing(signed)) await ctx.operations.giveUp(owner, hash)
    return signed
  }
  if (signed.signature === undefined) return failure('invalid_payload')
  const { receipt } = signed
  if (receipt !== undefined) await call.note({ user_op_hash: hash, receipt })
  const submitter = { ...owner, token: noToken, agentSessionId: session.id }
  return mapResult(
    await ctx.operations.submit(submitter, { hash, signature: lower(signed.signature) }),
    (status) => outcomeOf(status, receipt),
  )
}

const outcomeOf = (status: UserOpStatus, receipt: string | undefined): OperationOutcome =>
  receipt === undefined ? status : { ...status, receipt }

/** An operation that cannot be built is recorded as a failed signing request, unless it is tried again. */
async function build(
  { operations, signing }: OperationToolCtx,
  owner: Owner,
  input: Omit<OperationInput, 'receipt'>,
  { actor, runId }: ToolContext,
): Promise<{ user_op_hash: string } | Failure> {
  const provisioned = await operations.provision(actor, input.chain)
  const built = isFailure(provisioned)
    ? provisioned
    : await operations.build(owner, { ...input, check_funds: true })
  if (isFailure(built) && !isPassing(built))
    await recordFailed(signing, {
      actor,
      type: 'user_operation',
      chain: input.chain,
      runId,
      code: built.code,
    })
  return built
}

const Noted = z.object({ user_op_hash: z.string(), receipt: z.string().optional() })

const notedOperation = (note: unknown): z.output<typeof Noted> | undefined => Noted.safeParse(note).data

const lower = (hex: string): Hex => hex.toLowerCase() as Hex
