import type { EvmChain } from '../evm-chains.ts'
import { dataOf, invalidParams, ProviderRpcError, providerCodes } from '../provider-error.ts'
import { type CallListsCtx, duplicateId, knownCall, listStatus, receiptOf, sendList } from './call-lists.ts'
import type { CallRecord } from './known-calls.ts'
import { type OperationsCtx, sendOperation } from './operations.ts'
import { type Batch, readBatch } from './read-batch.ts'

/** Calls of either account (EIP-5792, version 2.0.0). */
export type CallsCtx = CallListsCtx &
  OperationsCtx & { readonly isSmart: boolean; readonly own: (address?: unknown) => Promise<string> }

const operationStatus = { submitted: 100, confirmed: 200, failed: 500 } as const
const shownStatus = {
  100: 'pending',
  200: 'confirmed',
  400: 'failed',
  500: 'failed',
  600: 'partial',
} as const

/** `wallet_sendCalls`: a smart account's as one operation, a wallet's as transactions one after another. */
export async function sendCalls(ctx: CallsCtx, param: unknown): Promise<{ readonly id: string }> {
  const batch = readBatch(param)
  const own = await ctx.own(batch.from)
  const chain = await ctx.chains.find(batch.chainId)
  if (!ctx.isSmart) {
    if (chain?.hasRpc !== true)
      throw new ProviderRpcError(providerCodes.unsupportedChain, 'The platform does not reach this chain.')
    return sendList(ctx, batch, chain, own)
  }
  if (chain?.hasBundler !== true)
    throw new ProviderRpcError(providerCodes.unsupportedChain, 'This chain has no bundler.')
  return ctx.inTurn(() => sendAsOne(ctx, batch, chain))
}

async function sendAsOne(ctx: CallsCtx, { id, calls }: Batch, chain: EvmChain) {
  if (id !== undefined && ctx.known.find(id) !== undefined) throw duplicateId()
  const list = calls.map(knownCall)
  const { user_op_hash: operation } = await sendOperation(ctx, calls, chain)
  const record = {
    id: id ?? operation,
    chain: chain.handle,
    chainId: chain.chainId,
    calls: list,
    operation,
    hashes: [],
    isEnded: true,
  }
  if (!(await ctx.known.claim(record)) && id !== undefined) throw duplicateId()
  return { id: record.id }
}

/** `wallet_getCallsStatus`: how sent calls stand, with the receipts where a node can be asked for them. */
export async function getCallsStatus(ctx: CallsCtx, id: unknown): Promise<unknown> {
  const { record, ...rest } = await statusOf(ctx, id)
  return { version: '2.0.0', id, ...rest, atomic: record?.operation !== null }
}

/** `wallet_showCallsStatus`: shows the same to the person, in the frame. */
export async function showCallsStatus(ctx: CallsCtx, id: unknown): Promise<null> {
  const { record, status, receipts = [] } = await statusOf(ctx, id)
  if (record === undefined) throw unknownId()
  const { chain, calls, operation, hashes } = record
  const shown = calls.map(
    (_, index) => (operation === null ? hashes[index] : receipts[0]?.transactionHash) ?? null,
  )
  dataOf(
    await ctx.context.frame.request('calls.show', {
      chain,
      calls,
      hashes: shown,
      status: shownStatus[status],
    }),
  )
  return null
}

/** `wallet_getCapabilities`: the chains on which several calls are sent as one. */
export async function getCapabilities({ chains, isSmart }: CallsCtx, chainIds: unknown): Promise<unknown> {
  const wanted = Array.isArray(chainIds)
    ? (await Promise.all(chainIds.map(chains.find))).filter((chain) => chain !== undefined)
    : await chains.all()
  return Object.fromEntries(
    wanted.map(({ chainId, hasBundler }) => [
      chainId,
      { atomic: { status: isSmart && hasBundler ? 'supported' : 'unsupported' } },
    ]),
  )
}

async function statusOf(ctx: CallsCtx, id: unknown) {
  if (typeof id !== 'string') throw invalidParams('The id of the calls is missing.')
  const record = ctx.known.find(id)
  if (record?.operation === null)
    return { record, chainId: record.chainId, ...(await listStatus(ctx, record)) }
  return operationStatusOf(ctx, record, record?.operation ?? id)
}

async function operationStatusOf(ctx: CallsCtx, record: CallRecord | undefined, hash: string) {
  const known = /^0x[0-9a-fA-F]{64}$/.test(hash) ? await ctx.userOps.get(hash) : undefined
  if (known === undefined || known.error?.code === 'not_found') throw unknownId()
  const { chain, chain_id, status, transaction_hash } = dataOf(known)
  const receipt =
    transaction_hash !== null && ctx.forward.reaches(chain)
      ? await receiptOf(ctx.forward, chain, transaction_hash)
      : null
  return {
    record,
    chainId: `0x${chain_id.toString(16)}`,
    status: operationStatus[status],
    ...(receipt !== null && { receipts: [receipt] }),
  }
}

const unknownId = () => new ProviderRpcError(providerCodes.unknownId, 'No calls have this id.')
