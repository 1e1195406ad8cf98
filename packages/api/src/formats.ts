import { networkNames } from '@symbolon/networks/names'
import * as z from 'zod'

/** Lower-case UUID, as the service mints them (version 7). */
export const Id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'must be a lower-case UUID')
  .meta({ format: 'uuid' })

/** A time in a request: RFC 3339 with any fraction and zone. Read as `Timestamp`, cut to milliseconds. */
export const GivenTimestamp = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
    'must be an RFC 3339 date and time with a time zone',
  )
  .refine(isRealTime, 'must be a date and time that exists')
  .overwrite((text) => (isRealTime(text) ? new Date(text).toISOString() : text))
  .meta({ format: 'date-time', description: 'RFC 3339, with a time zone.' })

/** Whether the date is in the calendar and the moment in a year from 1 to 9999, as PostgreSQL reads them. */
function isRealTime(text: string): boolean {
  const moment = new Date(text)
  const asUtc = new Date(`${text.slice(0, 19)}Z`)
  return (
    !Number.isNaN(moment.getTime()) &&
    !Number.isNaN(asUtc.getTime()) &&
    asUtc.toISOString().slice(0, 19) === text.slice(0, 19) &&
    /^(?!0000)\d{4}-/.test(moment.toISOString())
  )
}

/** ISO 8601, UTC, milliseconds; a moment that exists (the 30th of February does not). */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be an ISO 8601 UTC timestamp with milliseconds')
  .refine(
    (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text,
    'must be a date and time that exists',
  )
  .meta({ format: 'date-time' })

/** What names a device, a bearer secret: its client makes it at random and keeps it. */
export const ClientNonce = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,64}$/, 'must be 16 to 64 characters of base64url')
  .meta({
    id: 'ClientNonce',
    description:
      'Names the device that logs in: 16 to 64 random characters of base64url that the device keeps secret. The wallet frame makes and keeps one.',
  })

/** Native amount in the smallest unit: at most 78 decimal digits, no leading zero. */
export const Amount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number in the smallest unit')

/** Decimal amount below 2^256, as every EVM value is. */
export const Wei = below(256, 'must be a whole number in the smallest unit, below 2^256')

/** Decimal gas units below 2^64. */
export const Gas = below(64, 'must be decimal gas units below 2^64')

/** EUR to the micro-euro: always six digits after the point. */
export const Eur = z
  .string()
  .regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/, 'must be EUR with six decimals')
  .meta({ examples: ['10.000000'] })

/** Whole bytes in hex with 0x; either case, any length the body allows. */
export const Hex = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be whole bytes in 0x-prefixed hex')

/** 32 bytes in hex with 0x. */
export const Hex32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in 0x-prefixed hex')

/** EVM address: 20 bytes in hex with 0x; the checksum is not asked for. */
export const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x-prefixed 20-byte address')

/** Ethereum quantity below 2^64: hex with 0x, no leading zero. */
export const Quantity64 = z
  .string()
  .regex(
    /^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})$/,
    'must be a whole number below 2^64 in 0x-prefixed hex, such as `0x1`',
  )

/** Ethereum quantity below 2^256: hex with 0x, no leading zero. */
export const Quantity256 = z
  .string()
  .regex(
    /^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/,
    'must be a whole number below 2^256 in 0x-prefixed hex, such as `0x1`',
  )

const groups = '(?:[A-Za-z0-9+/]{4})*'
const tail = '(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?'

/** Padded base64 (RFC 4648 section 4) whose unused bits are zero: one text per byte string. */
export const Base64 = z
  .string()
  .regex(new RegExp(`^${groups}${tail}$`), 'must be canonical padded base64')
  .meta({ format: 'byte' })

/** What every network's serialized form is at least: 0x hex, bare hex (Tron) or canonical base64; never empty. */
export const SerializedTransaction = z
  .string()
  .min(1)
  .regex(
    new RegExp(`^(?:0x(?:[0-9a-fA-F]{2})+|(?:[0-9a-fA-F]{2})+|${groups}${tail})$`),
    'must be hex or canonical base64',
  )

/** Email, trimmed, NFKC-normalised and lower-cased by the schema; at most 254 characters, nothing an email header would read. */
export const Email = z
  .string()
  // To normalize sorts combining marks, in a time that grows with the square of their number.
  .max(320, { abort: true })
  .trim()
  .normalize('NFKC')
  .toLowerCase()
  .max(254)
  .regex(
    /^[^\s@<>()[\],;:\\"\p{Cc}\p{Cs}]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u,
    'must be an email address',
  )
  .meta({ format: 'email' })

/** A display name: 1 to 100 characters on one line, trimmed by the schema; no control characters, no bidirectional overrides. */
export const DisplayName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'has control characters')

/** Text of any length and of several lines: all but U+0000 and halves of characters, which no database holds. */
export const Prose = z.string().regex(/^[^\0\p{Cs}]*$/u, 'has U+0000 or half a character')

/** Visible ASCII without spaces. */
export const VisibleAscii = z.string().regex(/^[\x21-\x7e]*$/, 'has spaces or characters beyond ASCII')

const ipWords = 'must be an IP address or range, such as 203.0.113.0/24 or 2001:db8::/32'

/** An IP address, or a range of them in CIDR notation (RFC 4632, RFC 4291). */
export const IpRange = z.union(
  [z.cidrv4(ipWords), z.cidrv6(ipWords), z.ipv4(ipWords), z.ipv6(ipWords)],
  ipWords,
)

/** A page's origin as browsers send it: http or https, host, port unless it is the scheme's own; no path, no wildcard. */
export const WebOrigin = z
  .string()
  .max(260)
  .regex(/^https?:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/, {
    error: 'must be an origin such as https://app.example.com',
    abort: true,
  })
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, {
    error: 'must be an origin such as https://app.example.com',
  })

/** A colour as `#rrggbb`; lower-cased by the schema. */
export const HexColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1a2b3c')
  .toLowerCase()

/** The curve of a wallet. */
export const Curve = z.enum(['secp256k1', 'ed25519']).meta({ id: 'Curve' })

/** A family of chains that share addresses and encodings. */
export const NetworkName = z
  .enum(Object.keys(networkNames) as (keyof typeof networkNames)[])
  .meta({ id: 'NetworkName' })

/** A family of chains as the API returns it. */
export type NetworkName = z.output<typeof NetworkName>

/** The name of one chain, such as `base`; an unknown one is refused as `chain_unsupported`. */
export const ChainHandle = z
  .string()
  .min(1)
  .max(64)
  .meta({ examples: ['base'] })

/** The schema of decimal integers of so many bits. */
function below(bits: number, wanted: string) {
  const limit = 2n ** BigInt(bits)
  const digitsMax = limit.toString().length
  return z
    .string()
    .regex(new RegExp(`^(0|[1-9][0-9]{0,${digitsMax - 1}})$`), { error: wanted, abort: true })
    .refine((text) => BigInt(text) < limit, wanted)
}
