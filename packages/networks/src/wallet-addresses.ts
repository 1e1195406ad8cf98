import type { Chain } from './chains.ts'
import { compressPublicKey } from './compress-public-key.ts'
import type { Curve } from './network.ts'
import { networks } from './networks.ts'

/**
 * All addresses of a wallet by their names on the wire: evm, bitcoin, bitcoin_taproot, bitcoin_testnet, tron,
 * cosmos, osmosis for secp256k1; solana, near, aptos, stellar for ed25519.
 * A key off the curve is a `NetworkError('invalid_request')`.
 */
export function walletAddresses(curve: Curve, publicKey: Uint8Array): Record<string, string> {
  const compressed = compressPublicKey(curve, publicKey)
  const addresses: Record<string, string> = {}
  for (const network of Object.values(networks)) {
    if (network.curve === curve) Object.assign(addresses, network.addresses(compressed))
  }
  return addresses
}

/** The address of a compressed public key on one chain. */
export function chainAddress(chain: Chain, publicKey: Uint8Array): string {
  const address = networks[chain.network].addresses(publicKey)[chain.addressName]
  if (address === undefined) throw new Error(`${chain.handle} has no address named ${chain.addressName}`)
  return address
}
