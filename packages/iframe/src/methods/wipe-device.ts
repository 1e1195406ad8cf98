import type { Handlers } from '../connect/talk.ts'
import { wipeShares } from '../shares/device-shares.ts'
import { agree } from './agree.ts'
import type { Vault } from './vault.ts'

/** `device.wipe`: deletes this browser's shares of the logged-in user, and of nobody else, once the person agrees. */
export function wipeDevice(vault: Vault): Handlers['device.wipe'] {
  return async (_params, signal) => {
    const identity = await vault.user().identity()
    await agree(vault, { subject: 'wipe', addresses: [] }, signal)
    await wipeShares(vault.shares, identity)
    return {}
  }
}
