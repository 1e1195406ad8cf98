import { BlockList, isIP } from 'node:net'

/** Whether an address is a trusted proxy's; an IPv4-mapped address counts as its IPv4. */
export type ProxyTrust = (address: string | undefined) => boolean

/** Trusts the proxies at these addresses and CIDR ranges, and nobody when there are none. */
export function proxyTrust(ranges: readonly string[]): ProxyTrust {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const type = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(network, Number(prefix ?? (type === 'ipv6' ? 128 : 32)), type)
  }
  return (address = '') => {
    const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}
