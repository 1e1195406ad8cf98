import { networks, walletAddresses } from '@symbolon/networks/browser'
import type { Wallet } from '../api/wallet.ts'
import type { NamedAddress } from '../dialogs/dialogs.ts'

/** The addresses of a wallet on all networks of its curve. */
export function namedAddresses({ curve, publicKey }: Pick<Wallet, 'curve' | 'publicKey'>): NamedAddress[] {
  return Object.entries(walletAddresses(networks, curve, publicKey)).map(([label, address]) => ({
    label,
    address,
  }))
}
