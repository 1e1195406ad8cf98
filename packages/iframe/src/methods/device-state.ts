import type { Wallet } from '../api/wallet.ts'
import type { Handlers } from '../connect/talk.ts'
import { isFailure } from '../frame-failure.ts'
import type { DeviceShareState } from '../protocol/messages.ts'
import { heldShares, wipeHeld } from '../shares/device-shares.ts'
import type { UserSession } from './user-session.ts'
import { requireClientMode, type Vault } from './vault.ts'
import { withKey } from './with-key.ts'

/**
 * `device.state`: whether this browser's share is in force. Only after a lost answer does this need the
 * service's share.
 */
export function deviceState(vault: Vault): Handlers['device.state'] {
  return async ({ curve }, signal) => {
    requireClientMode(vault)
    const user = vault.user()
    const wallet = await user.freshWallet(curve)
    const state = await stateOf(vault, user, wallet, signal)
    return { device_share: state, is_durable: vault.shares.storage.isDurable, wallet: wallet.wire }
  }
}

async function stateOf(
  vault: Vault,
  user: UserSession,
  wallet: Wallet,
  signal: AbortSignal,
): Promise<DeviceShareState> {
  const held = await heldShares(vault.shares, wallet)
  wipeHeld(held)
  if (held.length === 0) return 'absent'
  if (held.some(({ version }) => version === wallet.polynomialVersion)) return 'present'
  if (held.every(({ version }) => version !== null)) return 'outdated'
  try {
    await withKey(vault, { user, wallet, purpose: 'sign', signal }, () => undefined)
    return 'present'
  } catch (error) {
    if (isFailure(error, 'device_share_outdated', 'key_mismatch')) return 'outdated'
    throw error
  }
}
