import { isIP } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * A client address as rates count it: an IPv6 address by its /64, which one client has whole; IPv4 in IPv6 as IPv4. What is no address is
 * the one of nobody: a proxy that we trust may have written it.
 */
export function clientBlock(address: string): string {
  const plain = address.split('%')[0] ?? ''
  const inner = mapped.exec(plain)?.[1] ?? plain
  if (isIP(inner) === 4) return inner
  if (isIP(inner) === 0) return '::'
  // The parser of URLs writes every spelling in the same way.
  const [head = '', tail] = new URL(`http://[${inner}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
