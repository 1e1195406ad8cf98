import type { Handlers } from '../connect/talk.ts'
import { wipeShares } from '../shares/device-shares.ts'
import type { Vault } from './vault.ts'

/** `device.wipe`: deletes this browser's shares of the logged-in user, and of nobody else. */
export function wipeDevice(vault: Vault): Handlers['device.wipe'] {
  return async () => {
    await wipeShares(vault.shares, await vault.user().identity())
    return {}
  }
}
