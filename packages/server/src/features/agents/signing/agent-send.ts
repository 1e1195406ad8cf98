import type { SentAgentTransaction } from '@symbolon/api'
import type * as z from 'zod'
import { agentTransactionsStore } from '../../transactions/index.ts'
import { authorize } from './authorize.ts'
import { broadcast, type Sent } from './broadcast.ts'
import { madeBefore } from './prepare.ts'
import { type AskedCode, askedTransaction, type SendParams } from './ready-transaction.ts'
import { type RequestError, recordFinal } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import { type NeedsCode, transactionNeeds } from './transaction-needs.ts'

/** What a transaction that is not sent is answered with. */
export type SendCode = AskedCode | NeedsCode | 'broadcast_failed'

/** Makes and sends a transaction, once: the same `attemptKey` again answers the same one, and never makes a second. */
export async function agentSend(ctx: SigningCtx, params: SendParams): Promise<Sent | RequestError<SendCode>> {
  const { actor, attemptKey = null, attemptHours } = params
  const { decisions } = ctx.ledger
  if (attemptKey !== null && attemptHours !== undefined)
    await agentTransactionsStore.freeKey(ctx.sql, actor.session.id, attemptKey, attemptHours)
  const made = await madeBefore(ctx, actor.session.id, attemptKey)
  const madeOn = made && ctx.evm.chains.get(made.chain)
  if (made !== undefined && madeOn !== undefined) return broadcast(ctx, made, madeOn)

  const asked = await askedTransaction(ctx, params)
  if (asked.kind === 'stopped') return recordFinal(decisions, asked.request, asked.end)
  const found = await transactionNeeds(ctx, asked)
  if (found.kind === 'error') return found
  if (found.kind !== 'needs') return recordFinal(decisions, asked.request, found)

  const { wallet, chain, call } = asked
  const nonceOf = { walletId: wallet.id, chain: chain.chain.handle, sender: call.from, rpc: chain.rpc }
  return authorize(ctx, { ...asked, kind: 'transaction', needs: found.needs, nonceOf, attemptKey })
}

/** A sent transaction as the wire has it. */
export const sentToWire = ({ transaction, chainId }: Sent): z.output<typeof SentAgentTransaction> => ({
  tx_hash: transaction.txHash,
  chain: transaction.chain,
  chain_id: chainId,
  nonce: `0x${transaction.nonce.toString(16)}`,
  from: transaction.sender,
})
