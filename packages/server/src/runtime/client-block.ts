import { isIP } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * A client address as rates count it: an IPv6 address by its /64, which one client has whole; IPv4 in IPv6 as IPv4. Text that
 * is no address, which a trusted proxy may have written, counts as one client.
 */
export function clientBlock(address: string): string {
  const plain = plainAddress(address)
  return isIP(plain) === 4 ? plain : (groupsOf(plain)?.slice(0, 4).join(':') ?? '::')
}

const groupPrefix = 'client '

/** The name of a client address among the groups that take turns. */
export const clientGroup = (address: string): string => `${groupPrefix}${clientBlock(address)}`

/** Whether a group is a client address, as before a login, and neither an organization nor a portal user. */
export const isClientGroup = (group: string): boolean => group.startsWith(groupPrefix)

/** The /48 of an IPv6 address, which one customer of a network may have whole; undefined for any other. */
export function clientNetwork(address: string): string | undefined {
  return groupsOf(plainAddress(address))?.slice(0, 3).join(':')
}

function plainAddress(address: string): string {
  const plain = address.split('%')[0] ?? ''
  return mapped.exec(plain)?.[1] ?? plain
}

/** The eight groups of an IPv6 address, in one spelling. */
function groupsOf(address: string): readonly string[] | undefined {
  if (isIP(address) !== 6) return undefined
  // The parser of URLs writes every spelling in the same way.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after]
}
