import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { warmer } from '../keys/warmer.ts'
import { turnLine } from '../protocol/turn-line.ts'
import { agreeCalls, showCalls } from './agree-calls.ts'
import { agreeTransactions } from './agree-transactions.ts'
import { agreedCalls } from './agreed-calls.ts'
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

const loginChanged = 'The login changed while this request was waiting.'

/** Every method of the protocol, for one page; nobody is logged in at first. */
export function createVault(ports: Omit<Vault, 'user' | 'warmUp' | 'agreed'>): Handlers {
  let session: UserSession | undefined

  const vault: Vault = {
    ...ports,
    warmUp: warmer(),
    agreed: agreedCalls(ports.random),
    user() {
      if (session === undefined) throw new FrameFailure('session_missing')
      return session
    },
  }

  const line = turnLine(() => new FrameFailure('dialog_busy'))
  /** What asks the person, or signs: one at a time, for the login that it was asked under. */
  const inTurn =
    <params, result>(serve: (params: params, signal: AbortSignal) => Promise<result>) =>
    (params: params, signal: AbortSignal): Promise<result> => {
      const asked = session
      return line(() => {
        if (asked !== session) throw new FrameFailure('session_missing', { message: loginChanged })
        return serve(params, signal)
      }, signal)
    }
  const signs = sign(vault)
  const signsInTurn = inTurn(signs)

  return {
    'session.set': async ({ token }) => {
      vault.agreed.end()
      session = token === null ? undefined : userSession(vault.api, token)
      // With a token of the organization's own provider, this is the login of this device.
      if (token !== null && !isServiceToken(token)) session?.identity().catch(() => {})
      return {}
    },
    'login.start': startLogin(vault),
    'login.verify': verifyLogin(vault),
    'wallet.create': createWallet(vault),
    'wallet.import': inTurn(importWallet(vault)),
    'device.state': deviceState(vault),
    'device.wipe': inTurn(wipeDevice(vault)),
    // A dry run asks nobody and signs nothing.
    sign: (params, signal) => (params.request['dry_run'] === true ? signs : signsInTurn)(params, signal),
    'userop.send': inTurn(sendUserop(vault)),
    'calls.agree': inTurn(agreeCalls(vault)),
    'transactions.agree': inTurn(agreeTransactions(vault)),
    'calls.show': inTurn(showCalls(vault)),
    'recovery.run': inTurn(recover(vault)),
    'share.refresh': inTurn(refreshShare(vault)),
    'key.export': inTurn(exportKey(vault)),
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
