import { BlockList, isIP } from 'node:net'

// IPv4 addresses that are not globally reachable: the special-purpose registry of RFC 6890, multicast and the reserved rest.
const special4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// Within 2000::/3, the only part of IPv6 that is globally reachable: what leads elsewhere again (Teredo and other protocol
// assignments, 6to4) or is documentation (RFC 6890, RFC 9637).
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const blocked4 = new BlockList()
for (const [network, prefix] of special4) blocked4.addSubnet(network, prefix, 'ipv4')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const blocked6 = new BlockList()
for (const [network, prefix] of special6) blocked6.addSubnet(network, prefix, 'ipv6')
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Whether an IP address belongs to the public internet: nothing private, loopback, link-local (cloud metadata), shared,
 * multicast or reserved, and no IPv6 form that carries such an IPv4 address (mapped, NAT64, 6to4).
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blocked4.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  // IPv4-mapped addresses lie outside 2000::/3; asked in their own family they would be looked up as IPv4.
  return (
    global6.check(address, 'ipv6') &&
    !blocked6.check(address, 'ipv6') &&
    !address.toLowerCase().startsWith('::')
  )
}

/** Whether an IP address is this machine's own: 127.0.0.0/8 or ::1, in no other spelling. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return loopback.check(address, 'ipv4')
  return family === 6 && address === '::1'
}
