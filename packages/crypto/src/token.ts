import { base62, isBase62 } from './base62.ts'
import { crc32 } from './crc32.ts'

const prefixes = ['pk_live_', 'sk_live_', 'as_live_'] as const

/** What a key is for: publishable key, secret key, agent session. */
export type TokenPrefix = (typeof prefixes)[number]

/** What may be stored and shown of a token. */
export type ParsedToken = { prefix: TokenPrefix; last4: string }

const prefixLength = 8
const bodyLength = 43
const checksumLength = 6
const signedLength = prefixLength + bodyLength
const tokenLength = signedLength + checksumLength

/**
 * Mints a credential: the prefix, 32 random bytes as 43 base62 characters, and the CRC-32 of both as 6 base62
 * characters. Throws `RangeError` unless `random` has 32 bytes.
 */
export function mintToken(prefix: TokenPrefix, random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('A token takes 32 random bytes.')
  const signed = prefix + base62(random, bodyLength)
  return signed + checksum(signed)
}

/**
 * Recognises a credential offline by its shape and checksum; `undefined` for anything else. It says nothing about
 * whether the credential was ever issued.
 */
export function parseToken(text: string): ParsedToken | undefined {
  if (text.length !== tokenLength) return undefined
  const prefix = prefixes.find((candidate) => text.startsWith(candidate))
  if (prefix === undefined) return undefined
  for (let i = prefixLength; i < tokenLength; i++) if (!isBase62(text.charCodeAt(i))) return undefined
  if (!text.endsWith(checksum(text))) return undefined
  return { prefix, last4: text.slice(-4) }
}

const checksum = (text: string): string => {
  const crc = crc32(text, signedLength)
  return base62(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc), checksumLength)
}
