import type {
  ActorType,
  CreateWallet,
  CreateWalletFor,
  Fail,
  WalletWithIdentity,
  Wallet as WireWallet,
} from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type * as z from 'zod'
import type { Sql } from '../../db/pool.ts'
import type { Identity, Organization } from '../../http/caller.ts'
import type { Audit } from '../audit/audit.ts'
import { enabledCurves } from './enabled-curves.ts'
import type { MakeTeeWallet } from './tee-wallet.ts'
import { type Owner, type Wallet, walletToWire, walletWithIdentityToWire } from './wallet.ts'
import { listWallets, type WalletListQuery } from './wallet-list.store.ts'
import { walletsStore } from './wallets.store.ts'

/** Who does it, as the audit log names them. */
export type Actor = { type: ActorType; id: string }

/** Finds or makes the identity a backend names, before its first login. */
export type FindOwner = (
  organization: Organization,
  name: { email?: string; providerUserId?: string },
) => Promise<{ id: string; owner: Owner } | undefined>

type CreateErrors = 'wallet_exists' | 'invalid_curve' | 'signing_mode_mismatch' | 'invalid_request'
type Input = z.output<typeof CreateWallet>
type InputFor = z.output<typeof CreateWalletFor>

const clientFields = [
  'address',
  'public_key',
  'provider_share',
  'provider_share_index',
  'recovery_share',
  'recovery_share_index',
] as const

/** Creating, reading and archiving wallets. */
export function wallets({
  sql,
  audit,
  makeTeeWallet,
  findOwner,
}: {
  sql: Sql
  audit: Audit
  makeTeeWallet: MakeTeeWallet
  findOwner: FindOwner
}) {
  /** Makes the owner's wallet, or throws `wallet_exists` with the one that is there. One wallet whoever races. */
  async function create(
    organization: Organization,
    owner: { id: string; owner: Owner },
    actor: Actor,
    input: { curve?: Curve; chain_type?: Wallet['chainType'] },
    toWire: (wallet: Wallet, owner: Owner) => WireWallet | WalletWithIdentity,
    fail: Fail<CreateErrors>,
  ): Promise<Wallet> {
    const curve = input.curve ?? 'secp256k1'
    if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')

    const found = await walletsStore.byOwnerAndCurve(sql, organization.id, owner.id, curve)
    if (found !== undefined) throw fail('wallet_exists', { data: toWire(found.wallet, found.owner) })

    const made = await makeTeeWallet(
      { organization, identityId: owner.id, curve, chainType: input.chain_type },
      fail,
    )
    const wallet = await sql.begin(async (tx) => {
      const inserted = await walletsStore.insert(tx, made)
      if (inserted === undefined) return undefined
      await audit.append(tx, {
        organizationId: organization.id,
        type: 'wallet.created',
        userIdentityId: owner.id,
        walletId: inserted.id,
        actorType: actor.type,
        actorId: actor.id,
        payload: { curve, chain_type: inserted.chainType, signing_mode: 'tee' },
        success: true,
      })
      return inserted
    })
    if (wallet !== undefined) return wallet

    // Another request was first; the key made here was never stored and is gone.
    const winner = await walletsStore.byOwnerAndCurve(sql, organization.id, owner.id, curve)
    if (winner === undefined) throw new Error('A wallet that exists cannot be read.')
    throw fail('wallet_exists', { data: toWire(winner.wallet, winner.owner) })
  }

  return {
    async createMine(
      { organization, identity }: { organization: Organization; identity: Identity },
      input: Input,
      fail: Fail<CreateErrors>,
    ): Promise<WireWallet> {
      if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
      const given = clientFields.filter((field) => input[field] !== undefined)
      if (given.length > 0) {
        const issues = given.map((field) => ({ path: [field], message: 'not allowed in TEE mode' }))
        throw fail('invalid_request', { details: { issues } })
      }
      const actor = { type: 'end_user', id: identity.id } as const
      return walletToWire(
        await create(organization, { id: identity.id, owner: identity }, actor, input, walletToWire, fail),
      )
    },

    async createFor(
      { organization, key }: { organization: Organization; key: { id: string } },
      input: InputFor,
      fail: Fail<CreateErrors>,
    ): Promise<WalletWithIdentity> {
      if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
      const owner = await findOwner(organization, {
        ...(input.email !== undefined && { email: input.email }),
        ...(input.provider_user_id !== undefined && { providerUserId: input.provider_user_id }),
      })
      if (owner === undefined) {
        const message = 'Nobody with this email has logged in yet; name the user by provider_user_id.'
        throw fail('invalid_request', { message })
      }
      const actor = { type: 'api_key', id: key.id } as const
      const wallet = await create(organization, owner, actor, input, walletWithIdentityToWire, fail)
      return walletWithIdentityToWire(wallet, owner.owner)
    },

    async newestOf(
      { organization, identity }: { organization: Organization; identity: Identity },
      curve: Curve,
      fail: Fail<'wallet_not_found' | 'invalid_curve'>,
    ): Promise<WireWallet> {
      if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')
      const found = await walletsStore.byOwnerAndCurve(sql, organization.id, identity.id, curve)
      if (found === undefined || found.wallet.status !== 'active') throw fail('wallet_not_found')
      return walletToWire(found.wallet)
    },

    async allOf({
      organization,
      identity,
    }: {
      organization: Organization
      identity: Identity
    }): Promise<WireWallet[]> {
      return (await walletsStore.byOwner(sql, organization.id, identity.id)).map(walletToWire)
    },

    async read(
      organizationId: string,
      walletId: string,
      fail: Fail<'wallet_not_found'>,
    ): Promise<WalletWithIdentity> {
      const found = await walletsStore.byId(sql, organizationId, walletId)
      if (found === undefined) throw fail('wallet_not_found')
      return walletWithIdentityToWire(found.wallet, found.owner)
    },

    async list(query: WalletListQuery) {
      const { items, total } = await listWallets(sql, query)
      const { limit, offset } = query
      return {
        items: items.map(({ wallet, owner }) => walletWithIdentityToWire(wallet, owner)),
        total,
        limit,
        offset,
      }
    },

    /** Archives or unarchives, once; when it answers, no process releases a signature under the old status. */
    async setStatus(
      { organization, key }: { organization: Organization; key: { id: string } },
      walletId: string,
      status: Wallet['status'],
      fail: Fail<'wallet_not_found'>,
    ): Promise<void> {
      await sql.begin(async (tx) => {
        const changed = await walletsStore.setStatus(tx, organization.id, walletId, status)
        if (changed === undefined) throw fail('wallet_not_found')
        if (!changed.isChanged) return
        await audit.append(tx, {
          organizationId: organization.id,
          type: status === 'archived' ? 'wallet.archived' : 'wallet.unarchived',
          userIdentityId: changed.userIdentityId,
          walletId,
          actorType: 'api_key',
          actorId: key.id,
          success: true,
        })
      })
    },
  }
}

export type Wallets = ReturnType<typeof wallets>
