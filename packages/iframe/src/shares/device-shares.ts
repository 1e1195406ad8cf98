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
 * This browser's shares. A share is offered before the service is asked to put it into force, and committed once it is:
 * in between both it and the older one stay, so that neither a crash nor a lost answer costs the wallet.
 */
export function deviceShares({ storage, random }: { storage: ShareStorage; random: Random }) {
  const ownRows = async (owner: KeyOwner): Promise<ShareRow[]> =>
    (await storage.rows()).filter((row) => isOfUser(row, owner) && row.curve === owner.curve)

  async function seal(
    owner: KeyOwner,
    walletId: string | null,
    version: number | null,
    share: Uint8Array,
  ): Promise<ShareRow> {
    const position: SharePosition = {
      id: uuidFromBytes(random(16)),
      organization_id: owner.organizationId,
      user_identity_id: owner.userIdentityId,
      curve: owner.curve,
      public_key: toHex0x(owner.publicKey),
      wallet_id: walletId,
      version,
    }
    return sealShare(await storage.key(), position, share, random(ivLength))
  }

  return {
    isDurable: storage.isDurable,

    /** Keeps a share that is about to be offered to the service; answers its id here. */
    async offer(owner: KeyOwner, walletId: string | null, share: Uint8Array): Promise<string> {
      const row = await seal(owner, walletId, null, share)
      await storage.change({ put: [row] })
      return row.id
    },

    /** Forgets an offer that the service has certainly not taken. */
    async drop(id: string): Promise<void> {
      await storage.change({ remove: [id] })
    },

    /** The shares of the wallet, the likeliest to be in force first. Rows that were changed or moved do not count. */
    async held(wallet: Wallet): Promise<HeldShare[]> {
      const key = await storage.key()
      const held: HeldShare[] = []
      for (const row of (await ownRows(wallet)).filter((each) => isOf(each, wallet))) {
        const share = await openShare(key, row)
        if (share !== undefined) held.push({ id: row.id, version: row.version, share })
      }
      return held.sort((a, b) => rank(a, wallet) - rank(b, wallet))
    },

    /**
     * Makes a share the one of the wallet's present version. What it replaces goes, offers included, all but what is newer
     * still: for whoever alone makes shares of this wallet at the time.
     */
    async commit(wallet: Wallet, share: Uint8Array): Promise<void> {
      const row = await seal(wallet, wallet.id, wallet.polynomialVersion, share)
      const older = (await ownRows(wallet)).filter(
        ({ version }) => (version ?? 0) <= wallet.polynomialVersion,
      )
      await storage.change({ put: [row], remove: older.map(({ id }) => id) })
    },

    /**
     * Gives a share that turned out to be in force the wallet's version. Other offers stay: another tab may have sent them
     * and not have its answer yet. Nothing happens where that tab was faster, so that no newer share is lost.
     */
    async settle(wallet: Wallet, { id, share }: Pick<HeldShare, 'id' | 'share'>): Promise<void> {
      const { polynomialVersion } = wallet
      const row = await seal(wallet, wallet.id, polynomialVersion, share)
      const rows = await ownRows(wallet)
      if (!rows.some((each) => each.id === id) || rows.some(({ version }) => version === polynomialVersion))
        return
      const older = rows.filter(
        (each) => each.id === id || (each.version !== null && each.version < polynomialVersion),
      )
      await storage.change({ put: [row], remove: older.map((each) => each.id) })
    },

    /** Forgets offers of other keys than the wallet's: each user has one wallet on a curve, so they are worth nothing. */
    async dropOthers(wallet: Wallet): Promise<void> {
      const others = (await ownRows(wallet)).filter((row) => row.version === null && !isOf(row, wallet))
      if (others.length > 0) await storage.change({ remove: others.map(({ id }) => id) })
    },

    /** Deletes all shares of the user, those that cannot be read included. */
    async wipe(user: Pick<KeyOwner, 'organizationId' | 'userIdentityId'>): Promise<void> {
      const rows = (await storage.rows()).filter((row) => isOfUser(row, user))
      await storage.change({ remove: rows.map(({ id }) => id) })
    },
  }
}

/** This browser's shares. */
export type DeviceShares = ReturnType<typeof deviceShares>

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
