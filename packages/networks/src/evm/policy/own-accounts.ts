import type { Chain } from '../../chain.ts'
import type { TransactionScope } from '../../network.ts'
import { checksumAddress, parseAddress } from '../address.ts'
import { lightAccountBytes } from '../light-account.ts'

/** The wallet's own accounts on a chain, EIP-55: its key's, and the smart account of that key. */
export type OwnAccounts = { readonly chain: Chain; readonly key: string; readonly account: string }

/** A wallet's own address and that of its smart account. */
export function ownAccounts({ chain, address }: Pick<TransactionScope, 'chain' | 'address'>): OwnAccounts {
  const account = lightAccountBytes(parseAddress(address) ?? new Uint8Array(20))
  return { chain, key: address, account: checksumAddress(account) }
}
