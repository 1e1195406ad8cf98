import type { EvmChain } from '../../../ports/evm-chains.ts'
import type { AgentTransaction } from '../../transactions/index.ts'
import type { RequestError } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'

/** A transaction that its chain has, or will have: a silent node is asked again later. */
export type Sent = { kind: 'sent'; transaction: AgentTransaction; chainId: number }

/** Broadcasts a durable transaction, unless that was done before. */
export async function broadcast(
  { evm }: SigningCtx,
  transaction: AgentTransaction,
  { chainId, rpc }: EvmChain,
): Promise<Sent | RequestError<'broadcast_failed'>> {
  if (transaction.state === 'sending') {
    const refusal = await evm.broadcaster.sendForAgent(transaction, rpc)
    if (refusal !== undefined && refusal.code !== 'transport') {
      const message = `The chain refused the transaction: ${refusal.reason.replace(/\.$/, '')}.`
      return { kind: 'error', code: 'broadcast_failed', message, cause: refusal }
    }
  }
  if (transaction.state === 'refused' || transaction.state === 'replaced')
    return { kind: 'error', code: 'broadcast_failed' }
  return { kind: 'sent', transaction, chainId }
}
