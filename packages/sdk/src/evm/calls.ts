import type { SmartAccounts } from '../client/smart-accounts.ts'
import type { UserOps } from '../client/user-ops.ts'
import type { UserOpStatus } from '../generated/answers.ts'
import { isObject } from '../json.ts'
import type { EvmChain, EvmChains } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { dataOf, invalidParams, ProviderRpcError, providerCodes } from './provider-error.ts'
import { type WantedTransaction, wantedTransaction } from './transaction-params.ts'

/** The context of a provider's calls by a smart account (EIP-5792, version 2.0.0). */
export type CallsCtx = {
  readonly userOps: UserOps
  readonly smartAccounts: SmartAccounts
  readonly chains: EvmChains
  readonly forward: Forward
  readonly own: (address?: unknown) => Promise<string>
  /** A page may name its calls itself; the platform knows them by their hash. */
  readonly hashes: Map<string, string>
}

const callsStatus = { submitted: 100, confirmed: 200, failed: 500 } as const

/** Sends one call; returns the hash of its operation. */
export async function sendOneCall(
  ctx: CallsCtx,
  wanted: WantedTransaction,
  chain: EvmChain,
): Promise<string> {
  return (await send(ctx, [wanted], chain)).user_op_hash
}

/** Waits for an operation; returns the hash of the transaction that carried it. */
export async function landed({ userOps }: CallsCtx, userOpHash: string): Promise<string> {
  const { transaction_hash, status, reason } = dataOf(await userOps.wait(userOpHash))
  if (status === 'failed' || transaction_hash === null)
    throw new ProviderRpcError(providerCodes.transactionRejected, reason ?? 'The operation failed.')
  return transaction_hash
}

/** `wallet_sendCalls`: several calls as one operation, under the page's id or the operation's hash. */
export async function sendCalls(ctx: CallsCtx, param: unknown): Promise<{ readonly id: string }> {
  const { id, from, chainId, calls, capabilities } = objectOf(param)
  if (!Array.isArray(calls) || calls.length === 0) throw invalidParams('`calls` is missing.')
  refuseCapabilities(capabilities)
  for (const call of calls) refuseCapabilities(objectOf(call)['capabilities'])
  await ctx.own(from)
  const chain = await ctx.chains.find(chainId)
  if (chain?.hasBundler !== true)
    throw new ProviderRpcError(providerCodes.unsupportedChain, 'This chain has no bundler.')
  if (typeof id === 'string' && ctx.hashes.has(id))
    throw new ProviderRpcError(providerCodes.duplicateId, 'This id is already in use.')
  const { user_op_hash } = await send(ctx, calls.map(wantedTransaction), chain)
  if (typeof id !== 'string') return { id: user_op_hash }
  ctx.hashes.set(id, user_op_hash)
  return { id }
}

/** `wallet_getCallsStatus`: the status of sent calls, with the receipt where a node can be asked for it. */
export async function getCallsStatus(ctx: CallsCtx, id: unknown): Promise<unknown> {
  if (typeof id !== 'string') throw invalidParams('The id of the calls is missing.')
  const hash = ctx.hashes.get(id) ?? id
  const known = /^0x[0-9a-fA-F]{64}$/.test(hash) ? await ctx.userOps.get(hash) : undefined
  if (known === undefined || known.error?.code === 'not_found')
    throw new ProviderRpcError(providerCodes.unknownId, 'No calls have this id.')
  const { chain, chain_id, status, transaction_hash } = dataOf(known)
  return {
    version: '2.0.0',
    id,
    chainId: `0x${chain_id.toString(16)}`,
    status: callsStatus[status],
    atomic: true,
    ...(transaction_hash !== null &&
      ctx.forward.reaches(chain) && {
        receipts: [await ctx.forward.call(chain, 'eth_getTransactionReceipt', [transaction_hash])],
      }),
  }
}

/** `wallet_getCapabilities`: the chains on which several calls are sent as one. */
export async function getCapabilities({ chains }: CallsCtx, chainIds: unknown): Promise<unknown> {
  const wanted = Array.isArray(chainIds)
    ? (await Promise.all(chainIds.map(chains.find))).filter((chain) => chain !== undefined)
    : await chains.all()
  return Object.fromEntries(
    wanted.map(({ chainId, hasBundler }) => [
      chainId,
      { atomic: { status: hasBundler ? 'supported' : 'unsupported' } },
    ]),
  )
}

async function send(
  { smartAccounts, userOps }: CallsCtx,
  wanted: readonly WantedTransaction[],
  { handle }: EvmChain,
): Promise<UserOpStatus> {
  dataOf(await smartAccounts.create({ chain: handle }))
  const calls = wanted.map(({ to, data, value }) => {
    if (to === undefined) throw invalidParams('`to` is missing: a smart account cannot deploy contracts.')
    return { to, data, value: value.toString() }
  })
  return dataOf(await userOps.send({ chain: handle, calls }))
}

function objectOf(param: unknown): Record<string, unknown> {
  if (!isObject(param)) throw invalidParams('A parameter must be an object.')
  return param
}

/** Refuses a capability that the page requires and the wallet does not have (EIP-5792). */
function refuseCapabilities(capabilities: unknown): void {
  if (capabilities === undefined) return
  for (const [name, value] of Object.entries(objectOf(capabilities)))
    if (objectOf(value)['optional'] !== true)
      throw new ProviderRpcError(providerCodes.unsupportedCapability, `${name} is not supported.`)
}
