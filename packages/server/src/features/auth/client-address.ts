import { isIP } from 'node:net'

const mapped = '::ffff:'

/**
 * A client address as the database reads it: IPv4 in IPv6 as IPv4, without a zone. Null for what is no address: a proxy that we trust may
 * have written it.
 */
export function clientAddress(address: string): string | null {
  const plain = address.split('%')[0] ?? ''
  const inner = plain.toLowerCase().startsWith(mapped) ? plain.slice(mapped.length) : ''
  if (isIP(inner) === 4) return inner
  return isIP(plain) === 0 ? null : plain
}
