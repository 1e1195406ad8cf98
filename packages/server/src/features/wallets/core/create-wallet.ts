import {
  type ActorType,
  ApiError,
  type CreateWallet,
  type CreateWalletFor,
  type WalletWithIdentity,
  type Wallet as WireWallet,
} from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type * as z from 'zod'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { Identity, Organization } from '../../../http/principal.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import { retry } from '../../../runtime/retry.ts'
import type { Audit } from '../../audit/index.ts'
import { walletSharesStore } from '../shares/wallet-shares.store.ts'
import { chainTypeOf } from './chain-type.ts'
import { type ClientWalletCtx, clientFields, makeClientWallet } from './client-wallet.ts'
import { enabledCurves } from './enabled-curves.ts'
import { makeTeeWallet, type TeeWalletCtx } from './tee-wallet.ts'
import type { Owner, Wallet, WalletAndOwner } from './wallet.ts'
import { findOwner, insertOwner, type NamedOwner } from './wallet-owners.store.ts'
import { walletToWire, walletWithIdentityToWire } from './wallet-to-wire.ts'
import { type NewWallet, walletsStore } from './wallets.store.ts'

/** The context for creating wallets. `claimedFrame`: the wallet frame's origin that this process has claimed; none where it may change. */
export type WalletsCtx = { sql: Sql; audit: Audit; claimedFrame: string | undefined } & TeeWalletCtx &
  ClientWalletCtx

/** The actor, as the audit log names it. */
export type Actor = { type: ActorType; id: string }

type CreateErrors = 'wallet_exists' | 'invalid_curve' | 'signing_mode_mismatch' | 'invalid_request'

/** A wallet about to be created. `toWire` shapes the wallet that `wallet_exists` carries. */
type Creation = {
  organization: Organization
  owner: { id: string; owner: Owner }
  actor: Actor
  curve: Curve
  toWire: (found: WalletAndOwner) => WireWallet | WalletWithIdentity
}

/** Creates the wallet of a user, in the organization's signing mode. An owner has one wallet per curve, whoever races. */
export async function createOwnWallet(
  ctx: WalletsCtx,
  { organization, identity }: { organization: Organization; identity: Identity },
  input: z.output<typeof CreateWallet>,
): Promise<
  Wallet | Failure<CreateErrors | 'address_mismatch' | 'invalid_share' | 'recovery_webhook_failed'>
> {
  const isClient = organization.signingMode === 'client'
  const given = clientFields.filter((field) => input[field] !== undefined)
  if (!isClient && given.length > 0) {
    const issues = given.map((field) => ({ path: [field], message: 'is not allowed in TEE mode' }))
    return failure('invalid_request', { details: { issues } })
  }
  const { curve = 'secp256k1', chain_type: chainType } = input
  const creation: Creation = {
    organization,
    owner: { id: identity.id, owner: identity },
    actor: { type: 'end_user', id: identity.id },
    curve,
    toWire: ({ wallet }) => walletToWire(wallet),
  }
  const refused = await refuseCreation(ctx, creation)
  if (refused !== undefined) return refused
  const owned = { organizationId: organization.id, identityId: identity.id, curve }
  const made = isClient
    ? await makeClientWallet(ctx, owned, input)
    : await makeTeeWallet(ctx, { ...owned, chainType })
  return isFailure(made) ? made : insertWallet<never>(ctx, creation, made)
}

/** Creates a TEE wallet for a user whom a backend names, also before that user's first login. */
export async function createWalletFor(
  ctx: WalletsCtx,
  { organization, key }: { organization: Organization; key: { id: string } },
  input: z.output<typeof CreateWalletFor>,
): Promise<WalletAndOwner | Failure<CreateErrors | 'email_ambiguous'>> {
  if (organization.signingMode !== 'tee') return needsMode('tee')
  const { curve = 'secp256k1', chain_type: chainType } = input
  // A request that makes no wallet must not leave a user behind.
  if (!enabledCurves(organization).has(curve)) return failure('invalid_curve')
  const wanted = chainTypeOf(curve, chainType)
  if (isFailure(wanted)) return wanted
  const created = await retry({ attemptsMax: 3 }, undefined, async () => {
    const outcome = await createNamed(ctx, { organization, key }, input)
    // Another request has made the same user meanwhile: this one is for that user then.
    return outcome === 'owner_taken' ? { again: undefined } : { done: outcome }
  })
  if (created === undefined) throw new ApiError('unavailable')
  return created
}

async function createNamed(
  ctx: WalletsCtx,
  { organization, key }: { organization: Organization; key: { id: string } },
  input: z.output<typeof CreateWalletFor>,
): Promise<WalletAndOwner | 'owner_taken' | Failure<CreateErrors | 'email_ambiguous'>> {
  const { curve = 'secp256k1', chain_type: chainType } = input
  const owner = await findOwner(ctx.sql, ctx.ids.next(), organization, {
    email: input.email,
    providerUserId: input.provider_user_id,
  })
  if (owner === 'ambiguous') return failure('email_ambiguous')
  if (owner === undefined) {
    const message = 'Nobody with this email has logged in yet. Name the user by provider_user_id.'
    return failure('invalid_request', { message })
  }
  const creation: Creation = {
    organization,
    owner,
    actor: { type: 'api_key', id: key.id },
    curve,
    toWire: walletWithIdentityToWire,
  }
  const refused = await refuseExisting(ctx, creation)
  if (refused !== undefined) return refused
  const made = await makeTeeWallet(ctx, {
    organizationId: organization.id,
    identityId: owner.id,
    curve,
    chainType,
  })
  if (isFailure(made)) return made
  const wallet = await insertWallet(ctx, creation, made, (tx) => makeOwner(tx, organization, owner))
  return isFailure(wallet) || wallet === 'owner_taken' ? wallet : { wallet, owner: owner.owner }
}

/** Why the wallet cannot be created; undefined when it can. */
async function refuseCreation(
  ctx: WalletsCtx,
  creation: Creation,
): Promise<Failure<'invalid_curve' | 'wallet_exists'> | undefined> {
  if (!enabledCurves(creation.organization).has(creation.curve)) return failure('invalid_curve')
  return refuseExisting(ctx, creation)
}

async function refuseExisting(
  { sql }: WalletsCtx,
  { organization, owner, curve, toWire }: Creation,
): Promise<Failure<'wallet_exists'> | undefined> {
  const found = await walletsStore.byOwnerAndCurve(sql, organization.id, owner.id, curve)
  return found && failure('wallet_exists', { data: toWire(found) })
}

const movedFrame =
  'A later start changed FRAME_BASE_URL: this process creates no client-mode wallets until you restart it.'

/** Makes a new owner with the wallet, so that a creation that is refused or cut off leaves no user behind. */
async function makeOwner(tx: Transaction, organization: Organization, owner: NamedOwner) {
  const isThere = !owner.isNew || (await insertOwner(tx, organization, owner))
  return isThere ? undefined : 'owner_taken'
}

/**
 * Inserts the wallet with its event, unless its owner has one by now: then what was made belongs to no wallet. `first` comes before it in
 * the transaction, and may end it.
 */
async function insertWallet<stop extends 'owner_taken' = never>(
  ctx: WalletsCtx,
  creation: Creation,
  made: NewWallet,
  first: (tx: Transaction) => Promise<stop | undefined> = async () => undefined,
): Promise<Wallet | stop | Failure<'wallet_exists' | 'signing_mode_mismatch'>> {
  const { organization, owner, actor, curve } = creation
  const wallet = await ctx.sql.begin(async (tx) => {
    const stopped = await first(tx)
    if (stopped !== undefined) return stopped
    const inserted = await walletsStore.insert(tx, made)
    // Nothing of it stays, the user included.
    if (inserted === undefined) return failure('signing_mode_mismatch')
    if (made.clientShares !== undefined) {
      await walletSharesStore.insert(tx, made.clientShares)
      const { claimedFrame } = ctx
      if (claimedFrame !== undefined && !(await walletSharesStore.holdsFrame(tx, claimedFrame)))
        throw new ApiError('unavailable', { cause: new Error(movedFrame) })
    }
    await ctx.audit.append(tx, {
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
  if (!isFailure(wallet)) return wallet
  // Without a winner, the organization has changed its signing mode since this request began.
  return (await refuseExisting(ctx, creation)) ?? wallet
}
