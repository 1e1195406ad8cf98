import type { SentAgentTransaction } from '@symbolon/api'
import type * as z from 'zod'
import { wantsReceipt } from '../../receipts/index.ts'
import { agentTransactionsStore } from '../../transactions/index.ts'
import { authorize } from './authorize.ts'
import { broadcast, type Sent } from './broadcast.ts'
import { madeBefore } from './prepare.ts'
import { type AskedCode, askedTransaction, type SendParams } from './ready-transaction.ts'
import { type RequestError, recordFinal } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import { type NeedsCode, transactionNeeds } from './transaction-needs.ts'

/** The errors of a transaction that is not sent. */
export type SendCode = AskedCode | NeedsCode | 'broadcast_failed'

/** Makes and sends a transaction. The same `key` again returns the same transaction, and never makes a second one. */
export async function agentSend(ctx: SigningCtx, params: SendParams): Promise<Sent | RequestError<SendCode>> {
  const { actor, key = null, keyHours } = params
  const { decisions } = ctx.ledger
  if (key !== null && keyHours !== undefined)
    await agentTransactionsStore.freeKey(ctx.sql, actor.session.id, key, keyHours)
  const made = await madeBefore(ctx, actor.session.id, key)
  const madeOn = made && ctx.evm.chains.get(made.chain)
  if (made !== undefined && madeOn !== undefined) return broadcast(ctx, made, madeOn)

  const asked = await askedTransaction(ctx, params)
  if (asked.kind === 'stopped') return recordFinal(decisions, asked.request, asked.end)
  const found = await transactionNeeds(ctx, asked)
  if (found.kind === 'error') return found
  if (found.kind !== 'needs') return recordFinal(decisions, asked.request, found)

  const { wallet, chain, call } = asked
  const nonceOf = { walletId: wallet.id, chain: chain.chain.handle, sender: call.from, rpc: chain.rpc }
  return authorize(ctx, {
    ...asked,
    kind: 'transaction',
    needs: found.needs,
    nonceOf,
    key,
    isReceipted: wantsReceipt(actor.organization, params.input),
  })
}

/** A sent transaction as the wire has it. */
export const sentToWire = ({ transaction, chainId }: Sent): z.output<typeof SentAgentTransaction> => ({
  tx_hash: transaction.txHash,
  chain: transaction.chain,
  chain_id: chainId,
  nonce: `0x${transaction.nonce.toString(16)}`,
  from: transaction.sender,
  ...(transaction.receipt !== undefined && { receipt: transaction.receipt }),
})
