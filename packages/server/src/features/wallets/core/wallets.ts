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
import type { Queryable, Sql } from '../../../db/pool.ts'
import type { Identity, Organization } from '../../../http/principal.ts'
import type { Audit } from '../../audit/index.ts'
import type { NewWalletShares } from '../shares/wallet-shares.store.ts'
import { clientFields, type MakeClientWallet } from './client-wallet.ts'
import { enabledCurves } from './enabled-curves.ts'
import type { MakeTeeWallet } from './tee-wallet.ts'
import { type Owner, type Wallet, walletToWire, walletWithIdentityToWire } from './wallet.ts'
import { listWallets, type WalletListQuery } from './wallet-list.store.ts'
import { type NewWallet, walletsStore } from './wallets.store.ts'

/** Who does it, as the audit log names them. */
export type Actor = { type: ActorType; id: string }

/** Finds or makes the identity a backend names, before its first login. */
export type FindOwner = (
  organization: Organization,
  name: { email?: string; providerUserId?: string },
) => Promise<{ id: string; owner: Owner } | undefined>

type CreateErrors = 'wallet_exists' | 'invalid_curve'
type CreateMineErrors =
  | CreateErrors
  | 'signing_mode_mismatch'
  | 'invalid_request'
  | 'address_mismatch'
  | 'invalid_share'
  | 'recovery_webhook_failed'
type Input = z.output<typeof CreateWallet>
type InputFor = z.output<typeof CreateWalletFor>

/** Creating, reading and archiving wallets. */
export function wallets({
  sql,
  audit,
  makeTeeWallet,
  makeClientWallet,
  insertShares,
  findOwner,
}: {
  sql: Sql
  audit: Audit
  makeTeeWallet: MakeTeeWallet
  makeClientWallet: MakeClientWallet
  insertShares: (tx: Queryable, shares: NewWalletShares) => Promise<void>
  findOwner: FindOwner
}) {
  /** Makes the owner's wallet, or throws `wallet_exists` with the one that is there. One wallet whoever races. */
  async function create(
    organization: Organization,
    owner: { id: string; owner: Owner },
    actor: Actor,
    curve: Curve,
    make: () => Promise<NewWallet>,
    toWire: (wallet: Wallet, owner: Owner) => WireWallet | WalletWithIdentity,
    fail: Fail<CreateErrors | 'signing_mode_mismatch'>,
  ): Promise<Wallet> {
    if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')

    const found = await walletsStore.byOwnerAndCurve(sql, organization.id, owner.id, curve)
    if (found !== undefined) throw fail('wallet_exists', { data: toWire(found.wallet, found.owner) })

    const made = await make()
    const wallet = await sql.begin(async (tx) => {
      const inserted = await walletsStore.insert(tx, made)
      if (inserted === undefined) return undefined
      if (made.clientShares !== undefined) await insertShares(tx, made.clientShares)
      await audit.append(tx, {
        organizationId: organization.id,
        type: 'wallet.created',
        userIdentityId: owner.id,
        walletId: inserted.id,
        actorType: actor.type,
        actorId: actor.id,
        payload: { curve, chain_type: inserted.chainType, signing_mode: inserted.signingMode },
        success: true,
      })
      return inserted
    })
    if (wallet !== undefined) return wallet

    // Another request was first: what was made here belongs to no wallet.
    const winner = await walletsStore.byOwnerAndCurve(sql, organization.id, owner.id, curve)
    // Or the organization has changed where its keys sign, since this one began.
    if (winner === undefined) throw fail('signing_mode_mismatch')
    throw fail('wallet_exists', { data: toWire(winner.wallet, winner.owner) })
  }

  return {
    async createMine(
      { organization, identity }: { organization: Organization; identity: Identity },
      input: Input,
      fail: Fail<CreateMineErrors>,
    ): Promise<WireWallet> {
      const { curve = 'secp256k1', chain_type: chainType } = input
      const isClient = organization.signingMode === 'client'
      const given = clientFields.filter((field) => input[field] !== undefined)
      if (!isClient && given.length > 0) {
        const issues = given.map((field) => ({ path: [field], message: 'not allowed in TEE mode' }))
        throw fail('invalid_request', { details: { issues } })
      }
      const wanted = { organization, identityId: identity.id, curve }
      const make = () =>
        isClient ? makeClientWallet(wanted, input, fail) : makeTeeWallet({ ...wanted, chainType }, fail)
      const actor = { type: 'end_user', id: identity.id } as const
      const owner = { id: identity.id, owner: identity }
      return walletToWire(await create(organization, owner, actor, curve, make, walletToWire, fail))
    },

    async createFor(
      { organization, key }: { organization: Organization; key: { id: string } },
      input: InputFor,
      fail: Fail<CreateErrors | 'signing_mode_mismatch' | 'invalid_request'>,
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
      const { curve = 'secp256k1', chain_type: chainType } = input
      const make = () => makeTeeWallet({ organization, identityId: owner.id, curve, chainType }, fail)
      const actor = { type: 'api_key', id: key.id } as const
      const wallet = await create(organization, owner, actor, curve, make, walletWithIdentityToWire, fail)
      return walletWithIdentityToWire(wallet, owner.owner)
    },

    /** The active wallet of the curve; of no curve that of secp256k1, else the newest one. */
    async newestOf(
      { organization, identity }: { organization: Organization; identity: Identity },
      curve: Curve | undefined,
      fail: Fail<'wallet_not_found' | 'invalid_curve'>,
    ): Promise<WireWallet> {
      const enabled = enabledCurves(organization)
      if (curve !== undefined && !enabled.has(curve)) throw fail('invalid_curve')
      const newestFirst = await walletsStore.byOwner(sql, organization.id, identity.id)
      const usable = newestFirst.filter((wallet) => wallet.status === 'active' && enabled.has(wallet.curve))
      const of = (wanted: Curve) => usable.find((wallet) => wallet.curve === wanted)
      const found = curve === undefined ? (of('secp256k1') ?? usable[0]) : of(curve)
      if (found === undefined) throw fail('wallet_not_found')
      return walletToWire(found)
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
      organizationId: string,
      actor: Actor,
      walletId: string,
      status: Wallet['status'],
      fail: Fail<'wallet_not_found'>,
    ): Promise<undefined> {
      await sql.begin(async (tx) => {
        const changed = await walletsStore.setStatus(tx, organizationId, walletId, status)
        if (changed === undefined) throw fail('wallet_not_found')
        if (!changed.isChanged) return
        await audit.append(tx, {
          organizationId,
          type: status === 'archived' ? 'wallet.archived' : 'wallet.unarchived',
          userIdentityId: changed.userIdentityId,
          walletId,
          actorType: actor.type,
          actorId: actor.id,
          success: true,
        })
      })
    },
  }
}

export type Wallets = ReturnType<typeof wallets>
