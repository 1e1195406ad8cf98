import type { Chain } from '../../chain.ts'
import type { WalletScope } from '../../network.ts'
import { checksumAddress, parseAddress } from '../address.ts'
import { lightAccountBytes } from '../light-account.ts'

/** The wallet's own accounts on a chain, EIP-55: its key's, and the smart account of that key. */
export type OwnAccounts = { readonly chain: Chain; readonly key: string; readonly account: string }

/** By which name the smart account stands beside the addresses of a wallet. */
const accountName = 'evm_smart_account'

/** A wallet's own address and that of its smart account. */
export function ownAccounts({
  chain,
  address,
  addresses,
}: Pick<WalletScope, 'chain' | 'address' | 'addresses'>): OwnAccounts {
  return { chain, key: address, account: addresses[accountName] ?? smartAccountOf(address) }
}

/** The smart account of a wallet with these addresses, by its name. */
export function namedSmartAccount({ evm = '' }: Readonly<Record<string, string>>): Record<string, string> {
  return { [accountName]: smartAccountOf(evm) }
}

function smartAccountOf(owner: string): string {
  return checksumAddress(lightAccountBytes(parseAddress(owner) ?? new Uint8Array(20)))
}
