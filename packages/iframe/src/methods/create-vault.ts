import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { warmer } from '../keys/warmer.ts'
import { createWallet } from './create-wallet.ts'
import { deviceState } from './device-state.ts'
import { exportKey } from './export-key.ts'
import { importWallet } from './import-wallet.ts'
import { startLogin, verifyLogin } from './login.ts'
import { recover } from './recover.ts'
import { refreshShare } from './refresh-share.ts'
import { sendUserop } from './send-userop.ts'
import { sign } from './sign.ts'
import { type UserSession, userSession } from './user-session.ts'
import type { Vault } from './vault.ts'
import { wipeDevice } from './wipe-device.ts'

/** Every method of the protocol, for one page; nobody is logged in at first. */
export function createVault(ports: Omit<Vault, 'user' | 'warmUp'>): Handlers {
  let session: UserSession | undefined

  const vault: Vault = {
    ...ports,
    warmUp: warmer(),
    user() {
      if (session === undefined) throw new FrameFailure('session_missing')
      return session
    },
  }

  return {
    'session.set': async ({ token }) => {
      session = token === null ? undefined : userSession(vault.api, token)
      // With a token of the organization's own provider, this is the login of this device.
      if (token !== null && !isServiceToken(token)) session?.identity().catch(() => {})
      return {}
    },
    'login.start': startLogin(vault),
    'login.verify': verifyLogin(vault),
    'wallet.create': createWallet(vault),
    'wallet.import': importWallet(vault),
    'device.state': deviceState(vault),
    'device.wipe': wipeDevice(vault),
    sign: sign(vault),
    'userop.send': sendUserop(vault),
    'recovery.run': recover(vault),
    'share.refresh': refreshShare(vault),
    'key.export': exportKey(vault),
  }
}

/** Whether a token says that the service's own login has made it. The service alone decides what it is worth. */
function isServiceToken(token: string): boolean {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)).auth_provider === 'service'
  } catch {
    return false
  }
}
