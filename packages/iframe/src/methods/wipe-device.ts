import type { Handlers } from '../connect/talk.ts'
import type { Vault } from './vault.ts'

/** `device.wipe`: deletes this browser's shares of the logged-in user, and of nobody else. */
export function wipeDevice(vault: Vault): Handlers['device.wipe'] {
  return async () => {
    await vault.shares.wipe(await vault.user().identity())
    return {}
  }
}
