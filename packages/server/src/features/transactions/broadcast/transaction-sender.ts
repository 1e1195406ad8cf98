import type { Sql } from '../../../db/pool.ts'
import type { EvmChains } from '../../../ports/evm-chains.ts'
import { type EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'
import type { Log } from '../../../ports/log.ts'
import type { Audit } from '../../audit/index.ts'
import { type AgentTransaction, agentTransactionsStore } from './agent-transactions.store.ts'
import { handIn } from './hand-in.ts'

/** Sends committed transactions, again and again until the chain counts their nonces. */
export type TransactionSender = {
  /** Hands it in now; answers what the node said against it. A silent node is asked again later. */
  send(transaction: AgentTransaction, rpc: EvmRpc): Promise<EvmRpcError | undefined>
  start(): void
  /** Sends what is due, of dead processes too; answers how many there were. */
  takeOver(): Promise<number>
  stop(): Promise<void>
}

const pollMs = 2_000
const rowsMax = 16
/** How long a transaction is left to whoever is sending it. */
export const sendLeaseMs = 15_000
const firstLookMs = 30_000
const looksApartMaxMs = 60 * 60_000

/** Makes the sender. A transaction and what its audit event says of it change together. */
export function transactionSender({
  sql,
  chains,
  audit,
  log,
}: {
  sql: Sql
  chains: EvmChains
  audit: Audit
  log: Log
}): TransactionSender {
  let isStopped = true
  let running: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined

  /** From `sending` on there is one event, whoever comes first. */
  async function finishSending(transaction: AgentTransaction, isTaken: boolean): Promise<void> {
    const { id, organizationId, sessionId, walletId, userIdentityId, chain, txHash } = transaction
    await sql.begin(async (tx) => {
      const to = isTaken ? 'sent' : 'refused'
      if (!(await agentTransactionsStore.move(tx, id, 'sending', to, isTaken ? firstLookMs : null))) return
      await audit.append(tx, {
        organizationId,
        type: 'wallet.tx_broadcast',
        userIdentityId,
        walletId,
        actorType: 'agent',
        actorId: sessionId,
        payload: { chain, tx_hash: txHash },
        success: isTaken,
        ...(!isTaken && { errorCode: 'broadcast_failed' }),
      })
    })
  }

  async function send(transaction: AgentTransaction, rpc: EvmRpc): Promise<EvmRpcError | undefined> {
    const refusal = await handIn(rpc, transaction.rawTx)
    if (refusal?.code === 'transport') return refusal
    try {
      await finishSending(transaction, refusal === undefined)
    } catch (error) {
      // The chain's answer stands; whoever takes the row over asks for it again.
      log.warn({ err: error, transactionId: transaction.id }, 'a broadcast could not be recorded')
    }
    return refusal
  }

  /** A node took it: it stays our business until the chain counts its nonce, since pools forget. */
  async function follow(transaction: AgentTransaction, rpc: EvmRpc): Promise<void> {
    const { id, sender, nonce, rawTx, attempts } = transaction
    if ((await rpc.minedNonce(sender)) > nonce) {
      await agentTransactionsStore.move(sql, id, 'sent', 'seen', null)
      return
    }
    const refusal = await handIn(rpc, rawTx)
    if (refusal !== undefined && refusal.code !== 'transport') {
      await agentTransactionsStore.move(sql, id, 'sent', 'refused', null)
      return
    }
    const againMs = Math.min(firstLookMs * 2 ** Math.min(attempts, 10), looksApartMaxMs)
    await agentTransactionsStore.move(sql, id, 'sent', 'sent', againMs)
  }

  async function goOn(transaction: AgentTransaction): Promise<void> {
    const rpc = chains.get(transaction.chain)?.rpc
    if (rpc === undefined) return
    try {
      if (transaction.state === 'sending') await send(transaction, rpc)
      else await follow(transaction, rpc)
    } catch (error) {
      if (!(error instanceof EvmRpcError)) throw error
    }
  }

  async function takeOver(): Promise<number> {
    const due = await agentTransactionsStore.claim(sql, rowsMax, sendLeaseMs)
    await Promise.all(due.map(goOn))
    return due.length
  }

  function poll(): void {
    running = takeOver()
      .catch((error: unknown) => log.warn({ err: error }, 'transactions of agents could not be sent'))
      .then(() => {
        if (!isStopped) timer = setTimeout(poll, pollMs)
      })
  }

  return {
    send,
    takeOver,
    start() {
      if (!isStopped) return
      isStopped = false
      timer = setTimeout(poll, pollMs)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
