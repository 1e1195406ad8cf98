import type { Chain, Curve } from './chain.ts'
import { compressPublicKey } from './compress-public-key.ts'
import type { Networks } from './network-set.ts'

/**
 * All addresses of a wallet on the networks of its curve, by their names on the wire.
 * A key off the curve is a `NetworkError('invalid_request')`.
 */
export function walletAddresses(
  networks: Networks,
  curve: Curve,
  publicKey: Uint8Array,
): Record<string, string> {
  const compressed = compressPublicKey(curve, publicKey)
  const addresses: Record<string, string> = {}
  for (const network of networks.list) {
    if (network.curve === curve) Object.assign(addresses, network.addresses(compressed))
  }
  return addresses
}

/** The address of a compressed public key on one chain. */
export function chainAddress(networks: Networks, chain: Chain, publicKey: Uint8Array): string {
  return addressOn(chain, networks.of(chain).addresses(publicKey))
}

/** That of a network's addresses which belongs to a chain. */
export function addressOn(chain: Chain, addresses: Readonly<Record<string, string>>): string {
  const address = addresses[chain.addressName]
  if (address === undefined) throw new Error(`${chain.handle} has no address named ${chain.addressName}`)
  return address
}
