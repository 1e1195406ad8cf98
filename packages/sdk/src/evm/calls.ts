import type { SmartAccounts } from '../client/smart-accounts.ts'
import type { UserOps } from '../client/user-ops.ts'
import type { UserOpStatus } from '../generated/answers.ts'
import type { EvmChain, EvmChains } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { invalidParams, ProviderRpcError, providerCodes, providerError } from './provider-error.ts'
import { type WantedTransaction, wantedTransaction } from './transaction-params.ts'

/** What the calls of a provider in the name of a smart account work with (EIP-5792, version 2.0.0). */
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

/** Sends one call and waits for it; returns the hash of the transaction that carried it. */
export async function sendOneCall(
  ctx: CallsCtx,
  wanted: WantedTransaction,
  chain: EvmChain,
): Promise<string> {
  const { user_op_hash } = await send(ctx, [wanted], chain)
  const landed = await ctx.userOps.wait(user_op_hash)
  if (landed.error !== null) throw providerError(landed.error)
  const { transaction_hash, status, reason } = landed.data
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
  if (known.error !== null) throw providerError(known.error)
  const { chain, chain_id, status, transaction_hash } = known.data
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
  const provisioned = await smartAccounts.create({ chain: handle })
  if (provisioned.error !== null) throw providerError(provisioned.error)
  const sent = await userOps.send({
    chain: handle,
    calls: wanted.map(({ to, data, value }) => {
      if (to === undefined) throw invalidParams('`to` is missing: a smart account cannot deploy contracts.')
      return { to, data, value: value.toString() }
    }),
  })
  if (sent.error !== null) throw providerError(sent.error)
  return sent.data
}

function objectOf(param: unknown): Record<string, unknown> {
  if (typeof param !== 'object' || param === null || Array.isArray(param))
    throw invalidParams('A parameter must be an object.')
  return param as Record<string, unknown>
}

/** Refuses a capability that the page requires and the wallet does not have (EIP-5792). */
function refuseCapabilities(capabilities: unknown): void {
  if (capabilities === undefined) return
  for (const [name, value] of Object.entries(objectOf(capabilities)))
    if (objectOf(value)['optional'] !== true)
      throw new ProviderRpcError(providerCodes.unsupportedCapability, `${name} is not supported.`)
}
