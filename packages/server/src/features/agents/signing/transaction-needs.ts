import type { Fail } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import { intentOf } from '@symbolon/networks/request'
import type { EvmChain } from '../../../ports/evm-chains.ts'
import { EvmRpcError } from '../../../ports/evm-rpc.ts'
import { amountText } from '../../spending/index.ts'
import type { FillInError, FundsLeft, NonceOf, TxCall, TxNeeds } from '../../transactions/index.ts'
import type { ReadyWallet } from '../../wallets/index.ts'
import { type AgentAttempt, type AgentPayload, agentPayload, factsOf } from './agent-attempt.ts'
import type { AttemptEnds, AttemptErrors } from './attempt-errors.ts'
import type { SigningGate } from './signing-gate.ts'

/** A transaction whose wallet, chain and recipient are known. */
export type ReadyTransaction = { attempt: AgentAttempt; wallet: ReadyWallet; wired: EvmChain; call: TxCall }

/** Why the chain would not have it, beside what the policy refuses. */
export type NeedsErrors = AttemptErrors | 'estimate_gas_reverted' | 'insufficient_funds' | 'rpc_failed'

/** What transactions of agents need of their chain, and whether their wallets have it. */
export type TransactionNeeds = ReturnType<typeof transactionNeeds>

/** Makes it. What it refuses is neither held nor signed; each refusal writes the attempt's one event. */
export function transactionNeeds({
  gate,
  ends,
  fundsLeft,
  fillIn,
  isFillInError,
}: {
  gate: SigningGate
  ends: AttemptEnds
  fundsLeft: FundsLeft
  fillIn: (rpc: EvmChain['rpc'], call: TxCall, gasLimit: bigint | undefined) => Promise<TxNeeds>
  isFillInError: (error: unknown) => error is FillInError
}) {
  /** The payload, unless its fields make no transaction. */
  async function payload(
    ready: ReadyTransaction,
    needs: TxNeeds,
    fail: Fail<NeedsErrors>,
  ): Promise<AgentPayload> {
    try {
      return payloadOf(ready, needs)
    } catch (error) {
      throw await ends.thrown(ready.attempt, error, fail)
    }
  }

  /** The wallet has too little; a policy that refuses anyway goes first, totals and fees included. */
  async function unfunded(
    ready: ReadyTransaction,
    needs: TxNeeds,
    { needed, balance, isLeft = false }: { needed: bigint; balance: bigint; isLeft?: boolean },
    fail: Fail<NeedsErrors>,
  ) {
    const { attempt, wired } = ready
    const asked = await payload(ready, needs, fail)
    const judgement = await gate.precheck(attempt, asked, fail, { withTotals: true })
    const { symbol, decimals } = wired.chain.nativeAsset
    const shown = (amount: bigint) => `${amountText(amount, decimals)} ${symbol}`
    return ends.failed(attempt, 'insufficient_funds', fail, {
      facts: factsOf(judgement),
      message: `The wallet has ${shown(balance)}${isLeft ? ' beside what it is sending' : ''}; value and highest fee of this transaction are ${shown(needed)}.`,
      details: { needed: needed.toString(), balance: balance.toString(), asset: symbol },
    })
  }

  return {
    payload,

    /** Whether the wallet has it still, for who holds the nonce: others of it may have been sent, or signed, since it was asked. */
    async recheck(
      ready: ReadyTransaction,
      needs: TxNeeds,
      { nonce, of }: { nonce: bigint; of: NonceOf },
      fail: Fail<NeedsErrors>,
    ): Promise<void> {
      if (nonce === needs.nonce) return
      const needed = ready.call.value + needs.gasLimit * needs.maxFeePerGas
      const left = await fundsLeft(of)
      if (left < needed)
        throw await unfunded(ready, needs, { needed, balance: left > 0n ? left : 0n, isLeft: true }, fail)
    },

    /** What the chain says it needs; policy goes first, so that a refusal costs no call. */
    async of(ready: ReadyTransaction, fail: Fail<NeedsErrors>): Promise<TxNeeds> {
      const { attempt, wired, call } = ready
      await gate.precheck(attempt, await payload(ready, free, fail), fail)
      const [filled, read] = await Promise.allSettled([
        fillIn(wired.rpc, call, undefined),
        wired.rpc.pendingBalance(call.from),
      ])
      const balance = read.status === 'fulfilled' ? read.value : undefined
      if (filled.status === 'rejected') {
        const { reason } = filled
        if (!isFillInError(reason)) throw await ends.thrown(attempt, reason, fail)
        // Nodes estimate nothing that has more value than the account; what the gas would be nobody knows then.
        if (reason.code === 'estimate_gas_reverted' && balance !== undefined && balance < call.value)
          throw await unfunded(ready, free, { needed: call.value, balance }, fail)
        throw await ends.failed(attempt, reason.code, fail, {
          ...(reason.code === 'estimate_gas_reverted' && { message: estimateFailed(reason.reason) }),
          cause: reason,
        })
      }
      if (read.status === 'rejected') {
        if (!(read.reason instanceof EvmRpcError)) throw await ends.thrown(attempt, read.reason, fail)
        throw await ends.failed(attempt, 'rpc_failed', fail, { cause: read.reason })
      }
      const needs = filled.value
      const needed = call.value + needs.gasLimit * needs.maxFeePerGas
      if (read.value < needed) throw await unfunded(ready, needs, { needed, balance: read.value }, fail)
      return needs
    },
  }
}

// Judged before the chain is asked: of value, recipient and data, which it does not change.
const free: TxNeeds = { nonce: 0n, gasLimit: 21_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }

/** The transaction as the enclave gets it, from fields as the wire has them. */
function payloadOf({ wallet, wired, call }: ReadyTransaction, needs: TxNeeds): AgentPayload {
  const { chain } = wired
  const transaction = {
    to: call.to,
    value: quantity(call.value),
    data: call.data,
    nonce: quantity(needs.nonce),
    gas_limit: quantity(needs.gasLimit),
    max_fee_per_gas: quantity(needs.maxFeePerGas),
    max_priority_fee_per_gas: quantity(needs.maxPriorityFeePerGas),
  }
  const request = { type: 'transaction', chain: chain.handle, transaction } as const
  const intent = intentOf(networks, request, chain, wallet.publicKey, () => new Uint8Array(0))
  return agentPayload(wallet, chain, intent)
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`
const estimateFailed = (reason: string): string => `The estimate failed: ${reason.replace(/\.$/, '')}.`
