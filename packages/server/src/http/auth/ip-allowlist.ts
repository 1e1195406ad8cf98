import { BlockList, isIP } from 'node:net'

/** Whether the address is in one of the CIDR ranges (IPv4 or IPv6); an IPv4-mapped address counts as its IPv4. */
export function isAddressAllowed(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
  const family = isIP(plain)
  if (family === 0) return false
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const type = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(network, prefix === undefined ? (type === 'ipv6' ? 128 : 32) : Number(prefix), type)
  }
  return list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
