import { EvmRpcError } from '../../../ports/evm-rpc.ts'
import { agentTransactionsStore, type NonceTurn } from '../../transactions/index.ts'
import type { ReadySignature } from './ready-signature.ts'
import type { ReadyTransaction } from './ready-transaction.ts'
import type { RequestEnd, RequestError } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { Committed, Prepared } from './signing-steps.ts'
import { type NeedsCode, recheckFunds, transactionPayload } from './transaction-needs.ts'

/** Makes the payload to sign. A transaction gets the nonce that is held for it, or is the one that its key made meanwhile. */
export async function prepare(
  ctx: SigningCtx,
  ready: ReadySignature | ReadyTransaction,
  turn: NonceTurn | undefined,
): Promise<Prepared | Committed | RequestEnd<NeedsCode> | RequestError<NeedsCode>> {
  if (ready.kind === 'signature') {
    const { payload, view } = ready
    return { kind: 'prepared', payload, ...('error' in view && { problem: view }) }
  }
  try {
    const held = await turn?.take()
    if (held === undefined) return { kind: 'failed', code: 'unavailable' }
    // A concurrent request with the same key may have had the turn before.
    const made = await madeBefore(ctx, ready.request.actor.session.id, ready.key)
    if (made !== undefined) return { kind: 'committed', transaction: made }
    const unfunded = await recheckFunds(ctx, ready, held.nonce)
    if (unfunded !== undefined) return unfunded
    const payload = transactionPayload(ready, { ...ready.needs, nonce: held.nonce })
    if ('kind' in payload) return payload
    return { kind: 'prepared', payload, planned: { ready, held } }
  } catch (error) {
    if (error instanceof EvmRpcError) return { kind: 'failed', code: 'rpc_failed', cause: error }
    throw error
  }
}

/** The transaction that a session made under a key before. */
export const madeBefore = async ({ sql }: SigningCtx, sessionId: string, key: string | null) =>
  key === null ? undefined : agentTransactionsStore.byKey(sql, sessionId, key)
