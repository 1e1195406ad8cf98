import { uuidFromBytes, wipe } from '@symbolon/crypto'
import { toHex0x } from '@symbolon/networks/request'
import type { Wallet } from '../api/wallet.ts'
import type { Random } from '../keys/random.ts'
import { openShare, type SharePosition, sealShare } from './sealed-share.ts'
import type { ShareRow, ShareStorage } from './share-storage.ts'

/** Whose key a share is of. */
export type KeyOwner = Pick<Wallet, 'organizationId' | 'userIdentityId' | 'curve' | 'publicKey'>

/** A share that this browser holds; `version` is null until it is known to be in force. Whoever takes it wipes it. */
export type HeldShare = { readonly id: string; readonly version: number | null; readonly share: Uint8Array }

/** AES-GCM takes 96 random bits (NIST SP 800-38D, 8.2.2). */
const ivLength = 12

/**
 * This browser's shares. Offer a share before you ask the service to put it into force, and commit it once it is: in between,
 * both it and the older one stay, so that neither a crash nor a lost answer costs the wallet.
 */
export type DeviceShares = { readonly storage: ShareStorage; readonly random: Random }

/** Keeps a share that is about to be offered to the service; returns its id in this browser. */
export async function offerShare(
  ctx: DeviceShares,
  owner: KeyOwner,
  walletId: string | null,
  share: Uint8Array,
): Promise<string> {
  const row = await seal(ctx, { ...owner, walletId, version: null }, share)
  await ctx.storage.change({ put: [row] })
  return row.id
}

/** Forgets an offer that the service has certainly not taken. */
export async function dropOffer({ storage }: DeviceShares, id: string): Promise<void> {
  await storage.change({ remove: [id] })
}

/** The shares of the wallet, the likeliest to be in force first. Rows that were changed or moved do not count. */
export async function heldShares({ storage }: DeviceShares, wallet: Wallet): Promise<HeldShare[]> {
  const key = await storage.key()
  const held: HeldShare[] = []
  for (const row of (await ownRows(storage, wallet)).filter((each) => isOf(each, wallet))) {
    const share = await openShare(key, row)
    if (share !== undefined) held.push({ id: row.id, version: row.version, share })
  }
  return held.sort((a, b) => rank(a, wallet) - rank(b, wallet))
}

/**
 * Makes a share the one of the wallet's present version. Deletes what it replaces, offers included, and keeps only what is
 * newer still. Call it only while nobody else makes shares of this wallet.
 */
export async function commitShare(ctx: DeviceShares, wallet: Wallet, share: Uint8Array): Promise<void> {
  const row = await seal(ctx, inForce(wallet), share)
  const older = (await ownRows(ctx.storage, wallet)).filter(
    ({ version }) => (version ?? 0) <= wallet.polynomialVersion,
  )
  await ctx.storage.change({ put: [row], remove: older.map(({ id }) => id) })
}

/**
 * Gives a share that turned out to be in force the wallet's version. Other offers stay: another tab may have sent them
 * and not have its answer yet. Nothing happens where that tab was faster, so that no newer share is lost.
 */
export async function settleShare(
  ctx: DeviceShares,
  wallet: Wallet,
  { id, share }: Pick<HeldShare, 'id' | 'share'>,
): Promise<void> {
  const { polynomialVersion } = wallet
  const row = await seal(ctx, inForce(wallet), share)
  const rows = await ownRows(ctx.storage, wallet)
  if (!rows.some((each) => each.id === id) || rows.some(({ version }) => version === polynomialVersion))
    return
  const older = rows.filter(
    (each) => each.id === id || (each.version !== null && each.version < polynomialVersion),
  )
  await ctx.storage.change({ put: [row], remove: older.map((each) => each.id) })
}

/** Forgets offers of other keys than the wallet's: each user has one wallet on a curve, so they are worth nothing. */
export async function dropOtherOffers({ storage }: DeviceShares, wallet: Wallet): Promise<void> {
  const others = (await ownRows(storage, wallet)).filter((row) => row.version === null && !isOf(row, wallet))
  if (others.length > 0) await storage.change({ remove: others.map(({ id }) => id) })
}

/** Deletes all shares of the user, unreadable ones included. */
export async function wipeShares(
  { storage }: DeviceShares,
  user: Pick<KeyOwner, 'organizationId' | 'userIdentityId'>,
): Promise<void> {
  const rows = (await storage.rows()).filter((row) => isOfUser(row, user))
  await storage.change({ remove: rows.map(({ id }) => id) })
}

async function ownRows(storage: ShareStorage, owner: KeyOwner): Promise<ShareRow[]> {
  return (await storage.rows()).filter((row) => isOfUser(row, owner) && row.curve === owner.curve)
}

type Place = KeyOwner & { readonly walletId: string | null; readonly version: number | null }

async function seal({ storage, random }: DeviceShares, place: Place, share: Uint8Array): Promise<ShareRow> {
  const position: SharePosition = {
    id: uuidFromBytes(random(16)),
    organization_id: place.organizationId,
    user_identity_id: place.userIdentityId,
    curve: place.curve,
    public_key: toHex0x(place.publicKey),
    wallet_id: place.walletId,
    version: place.version,
  }
  return sealShare(await storage.key(), position, share, random(ivLength))
}

function inForce(wallet: Wallet): Place {
  return { ...wallet, walletId: wallet.id, version: wallet.polynomialVersion }
}

/** Overwrites shares that were taken out. */
export function wipeHeld(held: readonly HeldShare[]): void {
  for (const { share } of held) wipe(share)
}

function isOfUser(row: ShareRow, user: Pick<KeyOwner, 'organizationId' | 'userIdentityId'>): boolean {
  return row.organization_id === user.organizationId && row.user_identity_id === user.userIdentityId
}

function isOf(row: ShareRow, { id, publicKey }: Wallet): boolean {
  return row.public_key === toHex0x(publicKey) && (row.wallet_id === null || row.wallet_id === id)
}

/** The version that is in force, then offers, then other versions. */
function rank({ version }: HeldShare, { polynomialVersion }: Wallet): number {
  if (version === polynomialVersion) return 0
  return version === null ? 1 : 2
}
