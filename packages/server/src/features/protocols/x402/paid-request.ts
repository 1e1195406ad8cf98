import * as z from 'zod'
import type { OutboundRequest } from '../../../ports/outbound.ts'

const headersMax = 32
const nameLengthMax = 64
const headerBytesMax = 8_192
const textBytesMax = 64 << 10

const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const value = /^[\t\x20-\x7e]*$/
// Servers that hand headers on as variables (CGI, WSGI) do not tell `_` from `-`.
const reserved =
  /^(host|cookie|connection|transfer-encoding|content-length|upgrade|te|trailer|expect|keep-alive|http2-settings|proxy-.*|x-payment.*|payment-.*)$/

const Headers = z
  .record(z.string(), z.string())
  .refine((headers) => Object.keys(headers).length <= headersMax, `must have at most ${headersMax} headers`)
  .refine(
    (headers) => Object.keys(headers).every((each) => each.length <= nameLengthMax && name.test(each)),
    `must have names of HTTP headers, of at most ${nameLengthMax} characters`,
  )
  .refine(
    (headers) => !Object.keys(headers).some((each) => reserved.test(lower(each).replaceAll('_', '-'))),
    'must not set `Host`, `Cookie`, `X-Payment*`, `Payment-*`, or what belongs to the connection, such as `Content-Length`',
  )
  .refine((headers) => {
    const names = Object.keys(headers).map(lower)
    return new Set(names).size === names.length
  }, 'must set each header once')
  .refine(
    (headers) => Object.values(headers).every((each) => value.test(each)),
    'must have values of printable ASCII, without line breaks',
  )
  .refine(
    (headers) => Object.entries(headers).flat().join('').length <= headerBytesMax,
    `must be at most ${headerBytesMax} bytes in all`,
  )

/** The request that a payment may be needed for. It is sent as it is given, without the payment and then with it. */
export const PaidRequest = z.strictObject({
  url: z.url().max(2048).describe('The https URL to request.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().describe('GET if you leave it out.'),
  headers: Headers.optional().describe('HTTP headers of the request.'),
  body: z
    .string()
    .refine((body) => Buffer.byteLength(body) <= textBytesMax, `must be at most ${textBytesMax >> 10} KiB`)
    // A run's journal stores neither: read back, it would be another request.
    .refine((body) => body.isWellFormed() && !body.includes('\0'), 'must be text without U+0000')
    .optional()
    .describe('The body of the request, with every method but GET.'),
})

/** Whether a request can be sent: a GET has no body. */
export const isSendable = ({ method = 'GET', body }: z.output<typeof PaidRequest>): boolean =>
  method !== 'GET' || body === undefined

/** A request as it is called, without a payment. */
export function outboundOf({
  url,
  method = 'GET',
  headers = {},
  body,
}: z.output<typeof PaidRequest>): OutboundRequest & { headers: Record<string, string> } {
  const given = Object.fromEntries(Object.entries(headers).map(([key, text]) => [lower(key), text]))
  if (body === undefined) return { url, method, headers: { accept: '*/*', ...given } }
  const type = isJson(body) ? 'application/json' : 'text/plain; charset=utf-8'
  return {
    url,
    method,
    headers: { accept: '*/*', 'content-type': type, ...given },
    body: Buffer.from(body, 'utf8'),
  }
}

const lower = (text: string): string => text.toLowerCase()

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
