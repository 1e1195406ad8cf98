import { networks } from '@symbolon/networks'
import { intentOf } from '@symbolon/networks/request'
import { EvmRpcError } from '../../../ports/evm-rpc.ts'
import { amountText } from '../../spending/index.ts'
import { FillInError, fillIn, fundsLeft, refusedCall, type TxNeeds } from '../../transactions/index.ts'
import { factsOf } from './decision-record.ts'
import { evaluateEarly } from './evaluate.ts'
import type { AskedTransaction, ReadyTransaction } from './ready-transaction.ts'
import type { RequestEnd, RequestError } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import { type SigningPayload, signingPayload } from './signing-request.ts'

/** Why the chain would not take a transaction, beside the policy's refusals. */
export type NeedsCode = 'estimate_gas_reverted' | 'insufficient_funds' | 'rpc_failed'

/** A transaction that is not signed: an end to record, or the error of one that is recorded. */
export type Unneeded = RequestEnd<NeedsCode> | RequestError<NeedsCode>

type Asked = Pick<AskedTransaction, 'request' | 'wallet' | 'chain' | 'call'>

/** Asks the chain what a transaction needs, after its policy: a refusal costs no call. */
export async function transactionNeeds(
  ctx: SigningCtx,
  asked: Asked,
): Promise<{ kind: 'needs'; needs: TxNeeds } | Unneeded> {
  const { request, chain, call } = asked
  const payload = transactionPayload(asked, free)
  if ('kind' in payload) return payload
  const early = await evaluateEarly(ctx, request, payload)
  if (early.kind === 'error') return early
  const [filled, read] = await Promise.allSettled([
    fillIn(chain.rpc, call, undefined),
    chain.rpc.pendingBalance(call.from),
  ])
  if (filled.status === 'rejected')
    return estimateEnd(ctx, asked, filled.reason, read.status === 'fulfilled' ? read.value : undefined)
  if (read.status === 'rejected') return rpcEnd(read.reason)
  const needs = filled.value
  const needed = costOf(asked, needs)
  if (read.value < needed) return unfunded(ctx, asked, needs, { needed, balance: read.value })
  return { kind: 'needs', needs }
}

async function estimateEnd(
  ctx: SigningCtx,
  asked: Asked,
  reason: unknown,
  balance: bigint | undefined,
): Promise<Unneeded> {
  if (!(reason instanceof FillInError)) return { kind: 'thrown', error: reason }
  if (reason.code === 'rpc_failed') return { kind: 'failed', code: reason.code, cause: reason }
  const { value } = asked.call
  // Nodes estimate no transaction with more value than the account has: its gas is unknown.
  if (balance !== undefined && balance < value) return unfunded(ctx, asked, free, { needed: value, balance })
  return { kind: 'failed', code: reason.code, ...refusedCall(reason.refusal), cause: reason }
}

const rpcEnd = (error: unknown): RequestEnd<NeedsCode> =>
  error instanceof EvmRpcError
    ? { kind: 'failed', code: 'rpc_failed', cause: error }
    : { kind: 'thrown', error }

/**
 * Checks under the held nonce that the wallet can still pay for a transaction: it may have signed or sent others since. Undefined: it can.
 */
export async function recheckFunds(
  ctx: SigningCtx,
  ready: ReadyTransaction,
  nonce: bigint,
): Promise<Unneeded | undefined> {
  if (nonce === ready.needs.nonce) return undefined
  const needed = costOf(ready, ready.needs)
  const left = await fundsLeft(ctx.sql, ready.nonceOf)
  if (left >= needed) return undefined
  return unfunded(ctx, ready, ready.needs, { needed, balance: left > 0n ? left : 0n, isLeft: true })
}

/** The wallet cannot pay. A refusal by the policy, totals and fees included, is reported instead. */
async function unfunded(
  ctx: SigningCtx,
  asked: Asked,
  needs: TxNeeds,
  { needed, balance, isLeft = false }: { needed: bigint; balance: bigint; isLeft?: boolean },
): Promise<Unneeded> {
  const payload = transactionPayload(asked, needs)
  if ('kind' in payload) return payload
  const early = await evaluateEarly(ctx, asked.request, payload, { withTotals: true })
  if (early.kind === 'error') return early
  const { symbol, decimals } = asked.chain.chain.nativeAsset
  const shown = (amount: bigint) => `${amountText(amount, decimals)} ${symbol}`
  return {
    kind: 'failed',
    code: 'insufficient_funds',
    facts: factsOf(early.decision),
    message: `The wallet has ${shown(balance)}${isLeft ? ' left after its pending transactions' : ''}, but this transaction needs up to ${shown(needed)} for its value and fee.`,
    details: { needed: needed.toString(), balance: balance.toString(), asset: symbol },
  }
}

const costOf = ({ call }: Asked, needs: TxNeeds): bigint => call.value + needs.gasLimit * needs.maxFeePerGas

// Evaluated before the chain is asked, by value, recipient and data, which do not depend on it.
const free: TxNeeds = { nonce: 0n, gasLimit: 21_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }

/** The transaction as a payload, or the end of a request whose fields do not make one. */
export function transactionPayload(
  { wallet, chain: { chain }, call }: Asked,
  needs: TxNeeds,
): SigningPayload | Extract<RequestEnd, { kind: 'thrown' }> {
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
  try {
    const intent = intentOf(networks, request, chain, wallet.publicKey, () => new Uint8Array(0))
    return signingPayload(wallet, chain, intent)
  } catch (error) {
    return { kind: 'thrown', error }
  }
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`
