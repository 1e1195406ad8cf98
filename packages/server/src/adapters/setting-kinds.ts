import { createPrivateKey, createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import { isComplete } from '@symbolon/crypto/attestation'
import type { ApiKey } from '@symbolon/crypto/node'
import * as z from 'zod'

/** An address to listen on: an IP address, or a name that may be one of this machine's. */
export const listenHost = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text),
    'must be an IP address or a host name of this machine',
  )

/** A URL of one of these protocols (`https:`). Its text completes the sentence that begins with the setting's name, as all do here. */
export const url = (protocols: readonly string[]): z.ZodType<string, string> =>
  z
    .string()
    .refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), `must be ${aUrl(protocols)}`)

/** The origin at a URL of one of these protocols: it is where everything is served from, so it has no path. */
export const origin = (protocols: readonly string[]): z.ZodType<string, string> =>
  z.string().transform((text, context) => {
    const parsed = URL.parse(text)
    // Credentials, path, query and fragment show here; an empty `?` or `#` does not.
    const isBare = parsed !== null && parsed.href === `${parsed.origin}/` && !/[?#]/.test(text)
    if (isBare && protocols.includes(parsed.protocol)) return parsed.origin
    context.addIssue(`must be ${aUrl(protocols)} without user, path, query and fragment`)
    return z.NEVER
  })

const aUrl = (protocols: readonly string[]): string =>
  `an ${protocols.map((protocol) => `${protocol}//`).join(' or ')} URL`

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A list, separated by commas, of which every part is as `isPart` has it and there are from `min` to `max`. */
const list = (
  isPart: (text: string) => boolean,
  says: string,
  { min = 0, max = Number.POSITIVE_INFINITY } = {},
) =>
  z.string().transform((text, context) => {
    const parts = partsOf(text)
    if (parts.length >= min && parts.length <= max && parts.every(isPart)) return parts
    context.addIssue(says)
    return z.NEVER
  })

/** One or two mail servers. */
export const mailServers: z.ZodType<string[], string> = list(
  isMailServer,
  'must be one or two smtp:// or smtps:// URLs without path and query, separated by a comma',
  { min: 1, max: 2 },
)

function isMailServer(text: string): boolean {
  const parsed = URL.parse(text)
  if (parsed === null || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '')
    return false
  return ['', '/'].includes(parsed.pathname) && parsed.search === '' && parsed.hash === ''
}

/** IP addresses and CIDR ranges; a /0, which would be every address, is refused. */
export const addressRanges: z.ZodType<string[], string> = list(
  isAddressOrRange,
  'must be IP addresses or CIDR ranges, separated by commas',
).refine(
  (ranges) => !ranges.some((range) => /\/0+$/.test(range)),
  'must not contain a range of all addresses (/0): list the addresses of your proxies',
)

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === undefined || rest.length > 0) return bitsMax > 0 && rest.length === 0
  return /^\d{1,3}$/.test(bits) && bitsMax > 0 && Number(bits) <= bitsMax
}

// RFC 5322: outside quotes, these would begin a group, a comment or another address.
const address = String.raw`[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+`
const sender = new RegExp(
  String.raw`^(?:${address}|(?:[^\p{Cc}<>@,;:"()[\]\\]*|"[^\p{Cc}"\\]*" *)<${address}>)$`,
  'u',
)

/** The sender of an email: one address, with or without a name. */
export const mailSender: z.ZodType<string, string> = z
  .string()
  .regex(sender, 'must be one email address, as in no-reply@example.com or Example <no-reply@example.com>')

/** One of the words. */
export const oneOf = <const word extends string>(...words: readonly word[]) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)

const Measurements = z
  .array(z.record(z.string().regex(/^\d{1,2}$/), z.string().regex(/^[0-9a-f]{96}$/)).refine(isComplete))
  .min(1)

/** Measurements of enclaves, by the index of the register. */
export const measurements: z.ZodType<Record<string, string>[], string> = z
  .string()
  .transform((text, context) => {
    const parsed = Measurements.safeParse(jsonOf(text))
    if (parsed.success) return parsed.data
    context.addIssue(
      'must be a JSON array with an object for each enclave: PCR 0, 1 and 2 by their numbers, 96 hex digits each and not all zero',
    )
    return z.NEVER
  })

const PrivateJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('X25519'),
  x: z.string(),
  d: z.string(),
})

/** A private key on X25519, as a JWK (RFC 8037). */
export const enclaveApiKey: z.ZodType<ApiKey, string> = z.string().transform((text, context) => {
  const { data: jwk } = PrivateJwk.safeParse(jsonOf(text))
  if (jwk !== undefined && isPair(jwk)) return jwk
  context.addIssue('must be a private JWK: {"kty":"OKP","crv":"X25519","x":"…","d":"…"}')
  return z.NEVER
})

function isPair(jwk: ApiKey): boolean {
  try {
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    return createPublicKey(key).export({ format: 'jwk' }).x === jwk.x
  } catch {
    return false
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
