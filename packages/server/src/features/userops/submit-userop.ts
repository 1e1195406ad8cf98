import type { UserOpStatus } from '@symbolon/api'
import { type Hex, ownerSignature } from '@symbolon/networks/evm'
import type { UserToken } from '../../http/principal.ts'
import type { Bundler } from '../../ports/bundler.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { Audit, AuditEvent } from '../audit/index.ts'
import type { CallingUser } from './build-userop.ts'
import { type ChainErrors, refusal } from './chain-errors.ts'
import { operationFromJson } from './operation-json.ts'
import type { OutcomeWaiters } from './outcome-waiters.ts'
import { type SettlementCtx, submissionLeaseMs, submitToBundler } from './submit-to-bundler.ts'
import { userOpStatus } from './userop-status.ts'
import { type OperationRow, useropsStore } from './userops.store.ts'

/** The errors of a submit. */
export type SubmitErrors =
  | ChainErrors
  | 'not_found'
  | 'wallet_archived'
  | 'invalid_signature'
  | 'expired'
  | 'token_revoked'
  | 'token_expired'

/** `agentSessionId`: the session that signed, if an agent did. */
type Principal = CallingUser & { token: UserToken; agentSessionId?: string }

/** The context for submitting operations. `waitMs`: how long a response waits for the chain, a slow bundler included. */
export type SubmitCtx = {
  settlement: SettlementCtx
  chains: EvmChains
  ids: Ids
  audit: Audit
  waiters: OutcomeWaiters
  waitMs: number
}

/** Submits an operation: checked, claimed in the database by exactly one request, sent once, then waited for by all. */
export async function submitOperation(
  ctx: SubmitCtx,
  principal: Principal,
  input: { hash: Hex; signature: Hex },
): Promise<UserOpStatus | Failure<SubmitErrors>> {
  const { sql } = ctx.settlement
  const find = () => useropsStore.byHash(sql, principal.organization.id, principal.identity.id, input.hash)
  const row = await find()
  if (row === undefined) return failure('not_found')
  if (row.walletStatus === 'archived') return refuse(ctx, principal, row, 'wallet_archived')
  const isNew = row.submittedAt === null
  if (isNew && (row.state !== 'built' || row.isPast)) {
    // Nobody can submit it any more, so its reservation ends at once.
    if (row.isPast) await useropsStore.expire(sql, row.id)
    return failure('expired')
  }
  const chain = ctx.chains.get(row.chain)
  const seen = isNew ? await look(chain, row) : undefined
  if (isFailure(seen)) return seen
  const signature = ownerSignature(input.signature, input.hash, row.ownerAddress)
  if (signature === undefined) return refuse(ctx, principal, row, 'invalid_signature')

  const beganAt = performance.now()
  const refused = seen && (await submit(ctx, principal, row, signature, seen))
  if (refused !== undefined) return refused
  const leftMs = Math.max(0, ctx.waitMs - (performance.now() - beganAt))
  const isOpen = isNew || row.state === 'sending' || row.state === 'sent'
  if (chain !== undefined && isOpen) await ctx.waiters.wait(chain, input.hash, leftMs)
  const status = await find().then((found) => found && userOpStatus(found))
  // Built again: the request that had claimed it did not reach the bundler.
  return status ?? failure('bundler_failed')
}

type Seen = { bundler: Bundler; chainNow: bigint; isDeployed: boolean }

/** The chain's clock, and whether an account that the operation deploys is there already. Fails closed. */
async function look(chain: EvmChain | undefined, row: OperationRow): Promise<Seen | Failure<'rpc_failed'>> {
  if (chain?.bundler === undefined) return failure('rpc_failed')
  try {
    const [head, code] = await Promise.all([
      chain.rpc.block('latest'),
      row.deploys ? chain.rpc.code(row.sender) : '0x',
    ])
    return { bundler: chain.bundler, chainNow: head.timestamp, isDeployed: code !== '0x' }
  } catch (error) {
    if (error instanceof EvmRpcError) return failure('rpc_failed', { cause: error })
    throw error
  }
}

/** Claims the operation and submits it; whoever comes second leaves that to the first. */
async function submit(
  { settlement, ids, audit }: SubmitCtx,
  principal: Principal,
  row: OperationRow,
  signature: Hex,
  { bundler, ...seen }: Seen,
): Promise<undefined | Failure<SubmitErrors>> {
  const attemptId = ids.next()
  const { id, hash, chain } = row
  const claim = await settlement.sql.begin(async (tx) => {
    const outcome = await useropsStore.claim(tx, {
      organizationId: principal.organization.id,
      identityId: principal.identity.id,
      hash,
      signature,
      attemptId,
      leaseMs: submissionLeaseMs,
      holder: settlement.holder,
      token: principal.token,
      ...seen,
    })
    if (outcome === 'claimed') await audit.append(tx, { ...eventOf(principal, row), success: true })
    return outcome
  })
  if (claim === 'taken') return undefined
  if (claim !== 'claimed') return failure(claim)

  const submission = { id, attemptId, chain, hash, operation: operationFromJson(row.operation), signature }
  const submitted = await submitToBundler(settlement, bundler, submission, true)
  if (submitted.outcome === 'open') return undefined
  const isRejected = submitted.outcome === 'rejected'
  const errorCode = isRejected ? 'bundler_rejected' : 'bundler_failed'
  await audit.write({ ...eventOf(principal, row), success: false, errorCode })
  return failure(errorCode, isRejected ? { message: refusal(submitted.reason) } : {})
}

/** Records that the request was refused, and returns why. */
async function refuse<const code extends 'wallet_archived' | 'invalid_signature'>(
  { audit }: SubmitCtx,
  principal: Principal,
  row: OperationRow,
  code: code,
): Promise<Failure<code>> {
  await audit.write({ ...eventOf(principal, row), success: false, errorCode: code })
  return failure(code)
}

function eventOf(
  { organization, identity, agentSessionId }: Principal,
  row: OperationRow,
): Omit<AuditEvent, 'success'> {
  return {
    organizationId: organization.id,
    type: 'userop.submitted',
    userIdentityId: identity.id,
    walletId: row.walletId,
    actorType: agentSessionId === undefined ? 'end_user' : 'agent',
    actorId: agentSessionId ?? identity.id,
    payload: { chain: row.chain, user_op_hash: row.hash, sender: row.sender },
  }
}
