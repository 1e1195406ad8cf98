import type { Fail, SmartAccount } from '@symbolon/api'
import { entryPoint, type Hex, lightAccountFactory } from '@symbolon/networks/evm'
import type { Queryable, Sql } from '../../db/pool.ts'
import type { Organization } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { unsupportedChain } from '../../ports/unsupported-chain.ts'
import type { Audit } from '../audit/index.ts'
import type { EvmWallet, EvmWallets } from '../wallets/index.ts'
import { accountOnChain } from './account-on-chain.ts'
import { seenOnChain } from './seen-on-chain.ts'
import { smartAccountToWire } from './smart-account.ts'
import { type SmartAccountRow, smartAccountsStore } from './smart-accounts.store.ts'

type CreateErrors =
  | 'chain_unsupported'
  | 'invalid_curve'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rpc_failed'

type CallingUser = { organization: Organization; identity: { id: string } }
type CallingKey = { organization: Organization; key: { id: string } }
type CallingSession = { organization: Organization; session: { id: string; walletId: string } }
type Creator = Pick<SmartAccountRow, 'createdBy'> & {
  actorType: 'end_user' | 'api_key' | 'agent'
  actorId: string
}

/** What was paid, or is reserved, for the gas of wallets in the current month; wallets without any are left out. */
export type SponsorSpending = {
  of(sql: Queryable, walletIds: readonly string[]): Promise<ReadonlyMap<string, bigint>>
}

/** Provisioning and reading smart accounts. */
export function smartAccounts({
  sql,
  ids,
  wallets,
  chains,
  audit,
  spending,
  capMicro,
}: {
  sql: Sql
  ids: Ids
  wallets: EvmWallets
  chains: EvmChains
  audit: Audit
  spending: SponsorSpending
  /** What a wallet's gas may cost the installation in a month, in micro-euros. */
  capMicro: bigint
}) {
  async function toWire(walletId: string, accounts: readonly SmartAccountRow[]): Promise<SmartAccount[]> {
    if (accounts.length === 0) return []
    const spentMicro = (await spending.of(sql, [walletId])).get(walletId) ?? 0n
    return accounts.map((account) => {
      const isSponsored = chains.get(account.chain)?.paymaster !== undefined
      return smartAccountToWire(account, { isSponsored, capMicro, spentMicro })
    })
  }

  /** As the chains have them now, as far as they answer in time; what is deployed is remembered. */
  async function list(walletId: string): Promise<{ items: SmartAccount[] }> {
    const accounts = await smartAccountsStore.ofWallet(sql, walletId)
    const absent = accounts.filter(({ deployed }) => !deployed)
    const seen = await seenOnChain(absent, chains)
    if (seen.size > 0) await smartAccountsStore.markDeployed(sql, [...seen])
    const current = accounts.map((account) =>
      seen.has(account.id) ? { ...account, deployed: true } : account,
    )
    return { items: await toWire(walletId, current) }
  }

  async function create(
    organization: Organization,
    wallet: EvmWallet | undefined,
    handle: string,
    creator: Creator,
    fail: Fail<CreateErrors>,
  ): Promise<SmartAccount> {
    if (wallet === undefined) throw fail('wallet_not_found')
    if (wallet.evmAddress === null) throw fail('invalid_curve')
    if (wallet.status === 'archived') throw fail('wallet_archived')
    const { supportedNetworks } = organization
    const chain = supportedNetworks.includes('evm') ? chains.get(handle) : undefined
    if (chain === undefined)
      throw fail('chain_unsupported', { message: unsupportedChain(handle, supportedNetworks) })

    const find = () => smartAccountsStore.find(sql, wallet.id, handle, lightAccountFactory)
    const found =
      (await find()) ?? (await insert(wallet, wallet.evmAddress, chain, creator, fail)) ?? (await find())
    // Neither made nor there: the wallet was archived on the way.
    if (found === undefined) throw fail('wallet_archived')
    const [account] = await toWire(wallet.id, [found])
    if (account === undefined) throw new Error('A smart account that exists cannot be told.')
    return account
  }

  /** Answers nothing when there is one already, or the wallet is active no more. */
  async function insert(
    wallet: EvmWallet,
    owner: Hex,
    { chain, chainId, rpc }: EvmChain,
    { createdBy, ...actor }: Creator,
    fail: Fail<'rpc_failed'>,
  ): Promise<SmartAccountRow | undefined> {
    const onChain = await accountOnChain(rpc, owner).catch((error: unknown) => {
      throw error instanceof EvmRpcError ? fail('rpc_failed', { cause: error }) : error
    })
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

  return {
    async listMine({ organization, identity }: CallingUser, fail: Fail<'wallet_not_found'>) {
      const wallet = await wallets.ofUser(organization.id, identity.id)
      if (wallet === undefined) throw fail('wallet_not_found')
      return list(wallet.id)
    },

    async listFor({ organization }: CallingKey, walletId: string, fail: Fail<'wallet_not_found'>) {
      const wallet = await wallets.byId(organization.id, walletId)
      if (wallet === undefined) throw fail('wallet_not_found')
      return list(wallet.id)
    },

    /** The account of the user's own wallet; made, or the one that is there. */
    async createMine({ organization, identity }: CallingUser, chain: string, fail: Fail<CreateErrors>) {
      const wallet = await wallets.ofUser(organization.id, identity.id)
      const creator = { createdBy: 'end_user', actorType: 'end_user', actorId: identity.id } as const
      return create(organization, wallet, chain, creator, fail)
    },

    /** The account of a wallet of the organization; made, or the one that is there. */
    async createFor(
      { organization, key }: CallingKey,
      walletId: string,
      chain: string,
      fail: Fail<CreateErrors>,
    ) {
      const wallet = await wallets.byId(organization.id, walletId)
      const creator = { createdBy: 'owner', actorType: 'api_key', actorId: key.id } as const
      return create(organization, wallet, chain, creator, fail)
    },

    /** The account of the wallet that an agent's session signs with; made, or the one that is there. */
    async createForAgent({ organization, session }: CallingSession, chain: string, fail: Fail<CreateErrors>) {
      const wallet = await wallets.byId(organization.id, session.walletId)
      const creator = { createdBy: 'owner', actorType: 'agent', actorId: session.id } as const
      return create(organization, wallet, chain, creator, fail)
    },
  }
}

export type SmartAccounts = ReturnType<typeof smartAccounts>
