import { wipe } from '@symbolon/crypto'
import { toBase64 } from '@symbolon/networks/request'
import { OutcomeUnknown, repeat } from '../api/repeat.ts'
import { fetchProviderShare } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import { rebuildKey } from '../keys/rebuild-key.ts'
import { type KeyShares, shareIndex, splitKey, wipeShares } from '../keys/split-key.ts'
import type { JsonObject } from '../protocol/messages.ts'
import { commitShare, dropOffer, offerShare } from '../shares/device-shares.ts'
import type { UserSession } from './user-session.ts'
import type { Vault } from './vault.ts'

/**
 * Puts the key onto a fresh polynomial: this browser's new share is kept first, then `send` offers the other two to the
 * service, the same ones however often it takes. A refused reshare is forgotten; where its answer was lost, the
 * older share and the new one both stay until one of them turns out to be in force. Answers the wallet as it then is.
 */
export async function reshare(
  vault: Vault,
  user: UserSession,
  wallet: Wallet,
  key: Uint8Array,
  send: (shares: KeyShares) => Promise<unknown>,
): Promise<Wallet> {
  const shares = splitKey(key, vault.random)
  try {
    const offer = await offerShare(vault.shares, wallet, wallet.id, shares.device)
    try {
      await repeat(vault.wait, () => send(shares))
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) {
        await dropOffer(vault.shares, offer)
        throw error
      }
      if (!(await isInForce(user, wallet, shares.device))) throw error.cause
    }
    const { value: now } = await repeat(vault.wait, () => user.freshWallet(wallet.curve))
    await commitShare(vault.shares, now, shares.device)
    return now
  } finally {
    wipeShares(shares)
  }
}

/** The shares for the service, as the API takes them in a recovery and in a refresh. */
export function newSharesBody({ provider, recovery }: KeyShares): JsonObject {
  return {
    new_provider_share: toBase64(provider),
    new_provider_share_index: shareIndex(provider),
    new_recovery_share: toBase64(recovery),
    new_recovery_share_index: shareIndex(recovery),
  }
}

/** Whether the service's share fits the new one: then an attempt whose answer was lost has been carried out. */
async function isInForce(user: UserSession, { id, curve, publicKey }: Wallet, device: Uint8Array) {
  try {
    const { walletId, share } = await fetchProviderShare(user.api, curve, 'refresh')
    const key = walletId === id ? rebuildKey(curve, publicKey, device, share) : undefined
    wipe(share, ...(key === undefined ? [] : [key]))
    return key !== undefined
  } catch {
    return false
  }
}
