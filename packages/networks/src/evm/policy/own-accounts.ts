import type { Chain } from '../../chains.ts'
import { rememberRecent } from '../../remember-recent.ts'
import { accountBytes, checksumAddress } from '../address.ts'
import { lightAccountBytes } from '../light-account.ts'
import type { OwnAccounts } from './calls.ts'

/** Keys whose addresses are kept: as many as sign within moments of each other. */
const keysMax = 4096
const addresses = rememberRecent((publicKey) => {
  const key = accountBytes(publicKey)
  return { key: checksumAddress(key), account: checksumAddress(lightAccountBytes(key)) }
}, keysMax)

/** A wallet's own address and that of its smart account. */
export function ownAccounts(chain: Chain, publicKey: Uint8Array): OwnAccounts {
  return { chain, ...addresses(publicKey) }
}
