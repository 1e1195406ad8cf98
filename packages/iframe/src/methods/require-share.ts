import type { Wallet } from '../api/wallet.ts'
import { FrameFailure } from '../frame-failure.ts'
import { heldShares, wipeHeld } from '../shares/device-shares.ts'
import type { Vault } from './vault.ts'

/** Refuses (`device_share_missing`) a request this browser cannot sign, before asking the person. */
export async function requireShare({ shares }: Vault, wallet: Wallet): Promise<void> {
  const held = await heldShares(shares, wallet)
  wipeHeld(held)
  if (held.length === 0) throw new FrameFailure('device_share_missing')
}
