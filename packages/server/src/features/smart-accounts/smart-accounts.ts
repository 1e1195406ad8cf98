import type { SmartAccount } from '@symbolon/api'
import { entryPoint, type Hex, lightAccountFactory } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import type { Organization } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { unsupportedChain } from '../../ports/unsupported-chain.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import type { EvmWallet, EvmWallets } from '../wallets/index.ts'
import { accountOnChain } from './account-on-chain.ts'
import { seenOnChain } from './seen-on-chain.ts'
import { smartAccountToWire } from './smart-account.ts'
import { type SmartAccountRow, smartAccountsStore } from './smart-accounts.store.ts'
import { sponsorshipStore } from './sponsorship.store.ts'
import { monthlyCapMicro } from './sponsorship.ts'

/** The context for provisioning and reading smart accounts. */
export type SmartAccountsCtx = { sql: Sql; ids: Ids; wallets: EvmWallets; chains: EvmChains; audit: Audit }

type CreateErrors =
  | 'chain_unsupported'
  | 'invalid_curve'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rpc_failed'

type OfUser = { organization: Organization; identity: { id: string } }
type OfKey = { organization: Organization; key: { id: string } }
type OfSession = { organization: Organization; session: { id: string; walletId: string } }

type Creator = Pick<SmartAccountRow, 'createdBy'> & {
  actorType: 'end_user' | 'api_key' | 'agent'
  actorId: string
}

type Listed = { items: SmartAccount[] } | Failure<'wallet_not_found'>
type Created = SmartAccount | Failure<CreateErrors>

/** The accounts of the user's own wallet. */
export async function listAccountsOfUser(
  ctx: SmartAccountsCtx,
  { organization, identity }: OfUser,
): Promise<Listed> {
  return list(ctx, await ctx.wallets.ofUser(organization.id, identity.id))
}

/** The accounts of a wallet of the organization. */
export async function listAccountsForKey(
  ctx: SmartAccountsCtx,
  { organization }: OfKey,
  walletId: string,
): Promise<Listed> {
  return list(ctx, await ctx.wallets.byId(organization.id, walletId))
}

/** The account of the user's own wallet on a chain, created if there is none. */
export async function createAccountForUser(
  ctx: SmartAccountsCtx,
  { organization, identity }: OfUser,
  chain: string,
): Promise<Created> {
  const wallet = await ctx.wallets.ofUser(organization.id, identity.id)
  const creator = { createdBy: 'end_user', actorType: 'end_user', actorId: identity.id } as const
  return create(ctx, organization, wallet, chain, creator)
}

/** The account of a wallet of the organization on a chain, created if there is none. */
export async function createAccountForKey(
  ctx: SmartAccountsCtx,
  { organization, key }: OfKey,
  { walletId, chain }: { walletId: string; chain: string },
): Promise<Created> {
  const wallet = await ctx.wallets.byId(organization.id, walletId)
  const creator = { createdBy: 'owner', actorType: 'api_key', actorId: key.id } as const
  return create(ctx, organization, wallet, chain, creator)
}

/** The account of the wallet that an agent's session signs with on a chain, created if there is none. */
export async function createAccountForAgent(
  ctx: SmartAccountsCtx,
  { organization, session }: OfSession,
  chain: string,
): Promise<Created> {
  const wallet = await ctx.wallets.byId(organization.id, session.walletId)
  const creator = { createdBy: 'owner', actorType: 'agent', actorId: session.id } as const
  return create(ctx, organization, wallet, chain, creator)
}

/** As the chains have them now, as far as they answer in time; what is deployed is stored. */
async function list(ctx: SmartAccountsCtx, wallet: EvmWallet | undefined): Promise<Listed> {
  if (wallet === undefined) return failure('wallet_not_found')
  const accounts = await smartAccountsStore.ofWallet(ctx.sql, wallet.id)
  const absent = accounts.filter(({ deployed }) => !deployed)
  const seen = await seenOnChain(absent, ctx.chains)
  if (seen.size > 0) await smartAccountsStore.markDeployed(ctx.sql, [...seen])
  if (accounts.length === 0) return { items: [] }
  const spentMicro = await sponsorshipStore.spentMicro(ctx.sql, wallet.id)
  return {
    items: accounts.map((account) =>
      toWire(ctx, { ...account, deployed: account.deployed || seen.has(account.id) }, spentMicro),
    ),
  }
}

async function create(
  ctx: SmartAccountsCtx,
  { supportedNetworks }: Organization,
  wallet: EvmWallet | undefined,
  handle: string,
  creator: Creator,
): Promise<Created> {
  if (wallet === undefined) return failure('wallet_not_found')
  if (wallet.evmAddress === null) return failure('invalid_curve')
  if (wallet.status === 'archived') return failure('wallet_archived')
  const chain = supportedNetworks.includes('evm') ? ctx.chains.get(handle) : undefined
  if (chain === undefined)
    return failure('chain_unsupported', { message: unsupportedChain(handle, supportedNetworks) })

  const find = () => smartAccountsStore.find(ctx.sql, wallet.id, handle, lightAccountFactory)
  const found =
    (await find()) ?? (await insert(ctx, wallet, wallet.evmAddress, chain, creator)) ?? (await find())
  // Neither inserted nor there: the wallet was archived meanwhile.
  if (found === undefined) return failure('wallet_archived')
  if (isFailure(found)) return found
  return toWire(ctx, found, await sponsorshipStore.spentMicro(ctx.sql, wallet.id))
}

/** Undefined when there is one already, or the wallet is no longer active. */
async function insert(
  { sql, ids, audit }: SmartAccountsCtx,
  wallet: EvmWallet,
  owner: Hex,
  { chain, chainId, rpc }: EvmChain,
  { createdBy, ...actor }: Creator,
): Promise<SmartAccountRow | undefined | Failure<'rpc_failed'>> {
  const onChain = await accountOnChain(rpc, owner).catch((error: unknown) => {
    if (error instanceof EvmRpcError) return failure('rpc_failed', { cause: error })
    throw error
  })
  if (isFailure(onChain)) return onChain
  return sql.begin(async (tx) => {
    const made = await smartAccountsStore.insert(tx, {
      id: ids.next(),
      organizationId: wallet.organizationId,
      walletId: wallet.id,
      chain: chain.handle,
      chainId,
      factory: lightAccountFactory,
      entryPoint,
      ownerAddress: owner,
      createdBy,
      ...onChain,
    })
    if (made === undefined) return undefined
    await audit.append(tx, {
      organizationId: wallet.organizationId,
      type: 'smart_account.created',
      userIdentityId: wallet.userIdentityId,
      walletId: wallet.id,
      ...actor,
      payload: { chain: made.chain, address: made.address },
      success: true,
    })
    return made
  })
}

const toWire = ({ chains }: SmartAccountsCtx, account: SmartAccountRow, spentMicro: bigint): SmartAccount => {
  const isSponsored = chains.get(account.chain)?.paymaster !== undefined
  return smartAccountToWire(account, { isSponsored, capMicro: monthlyCapMicro, spentMicro })
}
