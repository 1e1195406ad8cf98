import type { UserToken } from '../../../http/principal.ts'
import type { EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'
import { type Poller, poller, wokenPeriodMs } from '../../../runtime/poller.ts'
import { sendForAgent, takeOverAgents } from './agent-broadcasts.ts'
import type { AgentTransaction } from './agent-transactions.store.ts'
import type { BroadcastCtx } from './broadcast-ctx.ts'
import type { Broadcast } from './broadcasts.store.ts'
import { type BroadcastOutcome, sendForUser, takeOverUsers } from './user-broadcasts.ts'

/** The one way of transactions to their chains, of users and agents alike: each is durable before a node sees it, and has one event. */
export type Broadcaster = Poller & {
  /** Sends what a user's wallet has signed, if wallet and token are still valid. */
  sendForUser(broadcast: Broadcast, rpc: EvmRpc, token: UserToken): Promise<BroadcastOutcome>
  /** Sends a committed transaction of an agent; returns why the node refused it. */
  sendForAgent(transaction: AgentTransaction, rpc: EvmRpc): Promise<EvmRpcError | undefined>
  /** Resumes what is due, of dead processes too. */
  takeOver(): Promise<void>
}

/** Makes the broadcaster; started, it takes over what dead processes left, and follows agents' transactions. */
export function broadcaster(ctx: BroadcastCtx): Broadcaster {
  const onError = (error: unknown) => ctx.log.warn({ err: error }, 'pending transactions could not be sent')
  const pollers = [
    poller({ periodMs: wokenPeriodMs, pass: () => takeOverUsers(ctx), onError }),
    poller({ periodMs: wokenPeriodMs, pass: () => takeOverAgents(ctx), onError }),
  ]
  return {
    sendForUser: (broadcast, rpc, token) => sendForUser(ctx, broadcast, rpc, token),
    sendForAgent: (transaction, rpc) => sendForAgent(ctx, transaction, rpc),
    async takeOver() {
      await Promise.all([takeOverUsers(ctx), takeOverAgents(ctx)])
    },
    start() {
      for (const each of pollers) each.start()
    },
    nudge() {
      for (const each of pollers) each.nudge()
    },
    async stop() {
      await Promise.all(pollers.map((each) => each.stop()))
    },
  }
}
