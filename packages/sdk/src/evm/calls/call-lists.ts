import { randomHex } from '../../bytes.ts'
import type { Context } from '../../client/context.ts'
import type { EvmChain } from '../evm-chains.ts'
import type { Forward } from '../forward.ts'
import { dataOf, invalidParams, ProviderRpcError, providerCodes } from '../provider-error.ts'
import type { WantedTransaction } from '../transaction-params.ts'
import type { WalletTransactions } from '../wallet-transactions.ts'
import type { CallRecord, KnownCall, KnownCalls } from './known-calls.ts'
import type { Batch } from './read-batch.ts'

/** How lists of a wallet's own transactions are sent. */
export type CallListsCtx = {
  readonly context: Pick<Context, 'frame' | 'mode'>
  readonly transactions: WalletTransactions
  readonly forward: Forward
  readonly known: KnownCalls
  /** Runs a signature in its turn. */
  readonly inTurn: <value>(run: () => Promise<value>) => Promise<value>
}

/** A receipt as EIP-5792 lists it. */
export type CallReceipt = { readonly transactionHash: string; readonly status: string } & Record<
  string,
  unknown
>

const receiptFields = ['logs', 'status', 'blockHash', 'blockNumber', 'gasUsed', 'transactionHash']
const pollMs = 1_000
/** How often a receipt is asked for. A transaction that has none by then is left to the chain, and the rest is not sent. */
const receiptPolls = 1_800

/**
 * Sends calls of an account that is no smart account: one dialog for all (in client mode), then one transaction after another, each
 * once the one before it is on the chain. Resolves when the first is sent; what fails later stops the rest.
 */
export async function sendList(
  ctx: CallListsCtx,
  { id = `0x${randomHex(32)}`, calls, isAtomic }: Batch,
  chain: EvmChain,
  own: string,
): Promise<{ readonly id: string }> {
  if (isAtomic)
    throw new ProviderRpcError(
      providerCodes.atomicityNotSupported,
      "This account sends calls one after another, not all or nothing. Use client.ethereum({ account: 'smart_account' }).",
    )
  if (calls.length > 1 && !ctx.forward.reaches(chain.handle))
    throw new ProviderRpcError(
      providerCodes.unsupportedChain,
      `Several calls need a node of this chain: configure rpcUrls.${chain.handle}.`,
    )
  if (ctx.known.find(id) !== undefined) throw duplicateId()
  const list = calls.map(knownCall)
  const batch = await ctx.inTurn(() => agreeOn(ctx, calls, list, chain, own))
  const record: CallRecord = {
    id,
    chain: chain.handle,
    chainId: chain.chainId,
    calls: list,
    operation: null,
    hashes: [],
    isEnded: false,
  }
  if (!(await ctx.known.claim(record))) throw duplicateId()
  return new Promise((resolve, reject) => {
    const send = (call: WantedTransaction) => ctx.inTurn(() => ctx.transactions.send(call, chain, own, batch))
    ctx.known.hold(id, () => sendEach(ctx, record, calls, send, () => resolve({ id }))).catch(reject)
  })
}

/** The error for an id that is already in use. */
export function duplicateId(): ProviderRpcError {
  return new ProviderRpcError(providerCodes.duplicateId, 'This id is already in use.')
}

async function sendEach(
  { known, forward }: CallListsCtx,
  record: CallRecord,
  calls: readonly WantedTransaction[],
  send: (call: WantedTransaction) => Promise<string>,
  onFirst: () => void,
): Promise<void> {
  const hashes: string[] = []
  try {
    for (const call of calls) {
      const before = hashes.at(-1)
      if (before !== undefined && !(await succeeded(forward, record.chain, before))) return
      hashes.push(await send(call))
      known.save({ ...record, hashes: [...hashes] })
      onFirst()
    }
  } finally {
    known.save({ ...record, hashes: [...hashes], isEnded: true })
  }
}

/** Whether a transaction took effect, once that is known. */
async function succeeded(forward: Forward, chain: string, hash: string): Promise<boolean> {
  for (let poll = 0; poll < receiptPolls; poll++) {
    const receipt = await receiptOf(forward, chain, hash).catch(() => null)
    if (receipt !== null) return receipt.status === '0x1'
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return false
}

/** The receipt of a transaction; null while it has none. */
export async function receiptOf(forward: Forward, chain: string, hash: string): Promise<CallReceipt | null> {
  const receipt = await forward.call(chain, 'eth_getTransactionReceipt', [hash])
  if (receipt === null || typeof receipt !== 'object') return null
  return Object.fromEntries(
    Object.entries(receipt).filter(([name]) => receiptFields.includes(name)),
  ) as CallReceipt
}

/** What became of a list: the status of EIP-5792, and the receipts that are there. */
export async function listStatus(
  { forward, known }: CallListsCtx,
  { id, chain, calls, hashes, isEnded }: CallRecord,
): Promise<{ readonly status: 100 | 200 | 400 | 500 | 600; readonly receipts: readonly CallReceipt[] }> {
  const isSending = !isEnded && (await known.isHeld(id))
  const found = forward.reaches(chain)
    ? await Promise.all(hashes.map((hash) => receiptOf(forward, chain, hash)))
    : hashes.map(() => null)
  const receipts = found.filter((receipt) => receipt !== null)
  if (isSending || receipts.length < hashes.length) return { status: 100, receipts }
  const good = receipts.filter(({ status }) => status === '0x1').length
  if (good === calls.length) return { status: 200, receipts }
  if (good > 0) return { status: 600, receipts }
  return { status: hashes.length > 0 ? 500 : 400, receipts }
}

/** Checks several calls, and asks for them in one dialog where this browser signs; the name by which they are signed then. */
async function agreeOn(
  { context, transactions }: CallListsCtx,
  calls: readonly WantedTransaction[],
  list: readonly KnownCall[],
  chain: EvmChain,
  own: string,
): Promise<string | undefined> {
  if (calls.length === 1) return undefined
  const max_fee = (await transactions.maxFee(calls, chain, own)).toString()
  if (dataOf(await context.mode()) !== 'client') return undefined
  const asked = { chain: chain.handle, calls: list, max_fee }
  return dataOf(await context.frame.request('calls.agree', asked)).batch
}

/** A call as it is kept and shown. */
export function knownCall({ to, data, value }: WantedTransaction): KnownCall {
  if (to === undefined) throw invalidParams('`to` is missing: `wallet_sendCalls` does not deploy contracts.')
  return { to, data, value: value.toString() }
}
