import type { SignResponse, Wallet } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import { forgetRates, login, makeTenant, makeWallet } from './tenant.ts'
import { type Answer, startTestApp, type TestApp } from './test-app.ts'

/** A user with a wallet, on a platform of their own. */
export type Signer = {
  wallet: Wallet
  /** Signs a transaction (text, or bytes as Base64) in the user's own lane, whatever its limits have left. */
  sign(chain: string, transaction: string | Uint8Array, more?: object): Promise<Answer<SignResponse>>
  stop: TestApp['stop']
}

/** Starts the platform and makes the wallet. */
export async function startSigner(curve?: Curve): Promise<Signer> {
  const app = await startTestApp()
  const user = await login(app, await makeTenant(app))
  const wallet = await makeWallet(app, user, curve)
  return {
    wallet,
    stop: app.stop,
    async sign(chain, given, more = {}) {
      await forgetRates(app)
      const transaction = typeof given === 'string' ? given : Buffer.from(given).toString('base64')
      const json = { type: 'transaction', chain, transaction, ...more }
      return app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json })
    },
  }
}
