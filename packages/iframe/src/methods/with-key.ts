import { wipe } from '@symbolon/crypto'
import { fetchProviderShare, type SharePurpose } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import { FrameFailure } from '../frame-failure.ts'
import { rebuildKey } from '../keys/rebuild-key.ts'
import { type HeldShare, heldShares, settleShare, wipeHeld } from '../shares/device-shares.ts'
import type { UserSession } from './user-session.ts'
import type { Vault } from './vault.ts'

/** The mark of the moment at which both shares are there. */
export const sharesReadyMark = 'symbolon:shares-ready'

/**
 * Rebuilds the wallet's key of this browser's share and the service's, gives it to `use`, and wipes it whatever happens.
 * The service is asked only where there is a share at all (`device_share_missing`). Of several shares the one that gives
 * the wallet's public key is taken, and kept as the one in force; where none does, `device_share_outdated` when the
 * service has another version, otherwise `key_mismatch`.
 */
export async function withKey<value>(
  vault: Vault,
  { user, wallet, purpose, signal }: KeyRequest,
  use: (key: Uint8Array) => value | Promise<value>,
): Promise<value> {
  const held = await heldShares(vault.shares, wallet)
  try {
    if (held.length === 0) throw new FrameFailure('device_share_missing')
    const fetching = fetchProviderShare(user.api, wallet.curve, purpose, signal)
    vault.warmUp(wallet.curve)
    const provider = await fetching
    performance.mark(sharesReadyMark)
    const found = provider.walletId === wallet.id ? findKey(wallet, held, provider.share) : undefined
    wipe(provider.share)
    if (found === undefined) throw await mismatch(user, wallet, held)
    try {
      if (found.from.version !== wallet.polynomialVersion) await settle(vault, user, wallet, found.from)
      return await use(found.key)
    } finally {
      wipe(found.key)
    }
  } finally {
    wipeHeld(held)
  }
}

/** The wallet whose key is needed, and the purpose reported to the service. */
export type KeyRequest = {
  readonly user: UserSession
  readonly wallet: Wallet
  readonly purpose: SharePurpose
  readonly signal?: AbortSignal
}

function findKey(
  { curve, publicKey }: Wallet,
  held: readonly HeldShare[],
  providerShare: Uint8Array,
): { key: Uint8Array; from: HeldShare } | undefined {
  for (const from of held) {
    const key = rebuildKey(curve, publicKey, from.share, providerShare)
    if (key !== undefined) return { key, from }
  }
  return undefined
}

async function mismatch(
  user: UserSession,
  wallet: Wallet,
  held: readonly HeldShare[],
): Promise<FrameFailure> {
  const { polynomialVersion } = await user.freshWallet(wallet.curve)
  const isCurrent = held.some(({ version }) => version === polynomialVersion)
  return new FrameFailure(isCurrent ? 'key_mismatch' : 'device_share_outdated')
}

/**
 * The share in force has another version than the wallet that is remembered: it was an offer whose answer was lost, or
 * another tab has made it. The request itself does not fail because of it.
 */
async function settle(vault: Vault, user: UserSession, { curve }: Wallet, from: HeldShare): Promise<void> {
  try {
    await settleShare(vault.shares, await user.freshWallet(curve), from)
  } catch {
    // It stays an offer, which the next request finds again.
  }
}
