import type { ApiError, Fail, UserOpStatus } from '@symbolon/api'
import { type Hex, ownerSignature } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import type { UserToken } from '../../http/principal.ts'
import type { Bundler } from '../../ports/bundler.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import type { Audit, AuditEvent } from '../audit/index.ts'
import type { CallingUser } from './build-userop.ts'
import { type ChainErrors, refusal } from './chain-errors.ts'
import { operationFromJson } from './operation-json.ts'
import type { OutcomeWaiters } from './outcome-waiters.ts'
import { type SendOperation, sendLeaseMs } from './send-operation.ts'
import { userOpStatus } from './userop-status.ts'
import { type OperationRow, useropsStore } from './userops.store.ts'

/** The errors of a submit. */
export type SubmitErrors =
  | Exclude<ChainErrors, 'estimate_gas_reverted'>
  | 'not_found'
  | 'wallet_archived'
  | 'invalid_signature'
  | 'expired'
  | 'token_revoked'
  | 'token_expired'

/** `agentSessionId`: the session that has signed for the user, where an agent did. */
type Principal = CallingUser & { token: UserToken; agentSessionId?: string }

/** Submits operations: checked, claimed in the database by exactly one, sent once, then waited for by everybody. */
export function userOpSubmitter({
  sql,
  evm,
  ids,
  audit,
  send,
  waiters,
  waitMs,
}: {
  sql: Sql
  evm: EvmChains
  ids: Ids
  audit: Audit
  send: SendOperation
  waiters: OutcomeWaiters
  /** How long an answer waits for the chain, a slow bundler included. */
  waitMs: number
}) {
  return async (
    principal: Principal,
    input: { hash: Hex; signature: Hex },
    fail: Fail<SubmitErrors>,
  ): Promise<UserOpStatus> => {
    const find = () => useropsStore.byHash(sql, principal.organization.id, principal.identity.id, input.hash)
    const row = await find()
    if (row === undefined) throw fail('not_found')
    const refuse = async (code: 'wallet_archived' | 'invalid_signature') => {
      await audit.write({ ...eventOf(principal, row), success: false, errorCode: code })
      return fail(code)
    }
    if (row.walletStatus === 'archived') throw await refuse('wallet_archived')
    const isNew = row.submittedAt === null
    if (isNew && (row.state !== 'built' || row.isPast)) throw await expired(row, fail)
    const chain = evm.get(row.chain)
    const seen = isNew ? await look(chain, row, fail) : undefined
    const signature = ownerSignature(input.signature, input.hash, row.ownerAddress)
    if (signature === undefined) throw await refuse('invalid_signature')

    const beganAt = performance.now()
    if (seen !== undefined) await submit(principal, row, signature, seen, fail)
    const leftMs = Math.max(0, waitMs - (performance.now() - beganAt))
    const isOpen = isNew || row.state === 'sending' || row.state === 'sent'
    if (chain !== undefined && isOpen) await waiters.wait(chain, input.hash, leftMs)
    const status = await find().then((found) => found && userOpStatus(found))
    // Back among the built ones: whoever had the send did not reach the bundler.
    if (status === undefined) throw fail('bundler_failed')
    return status
  }

  type Seen = { bundler: Bundler; chainNow: bigint; isDeployed: boolean }

  /** The chain's clock, and whether an account that the operation deploys is there already. Fails closed. */
  async function look(
    chain: EvmChain | undefined,
    row: OperationRow,
    fail: Fail<SubmitErrors>,
  ): Promise<Seen> {
    if (chain?.bundler === undefined) throw fail('rpc_failed')
    try {
      const [head, code] = await Promise.all([
        chain.rpc.block('latest'),
        row.deploys ? chain.rpc.code(row.sender) : '0x',
      ])
      return { bundler: chain.bundler, chainNow: head.timestamp, isDeployed: code !== '0x' }
    } catch (error) {
      throw error instanceof EvmRpcError ? fail('rpc_failed', { cause: error }) : error
    }
  }

  /** Claims the operation and sends it; whoever comes second leaves that to the first. */
  async function submit(
    principal: Principal,
    row: OperationRow,
    signature: Hex,
    { bundler, ...seen }: Seen,
    fail: Fail<SubmitErrors>,
  ): Promise<void> {
    const attemptId = ids.next()
    const { id, hash, chain } = row
    const claim = await sql.begin(async (tx) => {
      const outcome = await useropsStore.claim(tx, {
        organizationId: principal.organization.id,
        identityId: principal.identity.id,
        hash,
        signature,
        attemptId,
        leaseMs: sendLeaseMs,
        token: principal.token,
        ...seen,
      })
      if (outcome === 'claimed') await audit.append(tx, { ...eventOf(principal, row), success: true })
      return outcome
    })
    if (claim === 'taken') return
    if (claim !== 'claimed') throw fail(claim)

    const operation = operationFromJson(row.operation)
    const sent = await send(bundler, { id, attemptId, chain, hash, operation, signature }, true)
    if (sent.outcome === 'open') return
    const errorCode = sent.outcome === 'rejected' ? 'bundler_rejected' : 'bundler_failed'
    await audit.write({ ...eventOf(principal, row), success: false, errorCode })
    throw fail(errorCode, sent.outcome === 'rejected' ? { message: refusal(sent.reason) } : {})
  }

  /** Nobody can submit it any more, so what it reserved is free at once. */
  async function expired({ id, isPast }: OperationRow, fail: Fail<SubmitErrors>): Promise<ApiError> {
    if (isPast) await useropsStore.expire(sql, id)
    return fail('expired')
  }
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
