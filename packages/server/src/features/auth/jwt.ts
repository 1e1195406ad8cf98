/** A compact JWS taken apart, not yet trusted. `signed` is what the signature covers. */
export type Jwt = {
  text: string
  signed: string
  header: string
  signature: Buffer
  claims: Readonly<Record<string, unknown>>
}

const lengthMax = 8 * 1024

/**
 * Takes a compact JWS apart (RFC 7515 section 3.1); `undefined` unless it has three parts of canonical base64url, the
 * second a JSON object, in at most 8 KiB. Canonical, because otherwise one token has many spellings.
 */
export function readJwt(text: string): Jwt | undefined {
  if (text.length > lengthMax) return undefined
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first < 1 || second < 0 || text.indexOf('.', second + 1) >= 0) return undefined
  const header = text.slice(0, first)
  const payload = decode(text.slice(first + 1, second))
  const signature = decode(text.slice(second + 1))
  if (payload === undefined || signature === undefined || decode(header) === undefined) return undefined
  const claims = readObject(payload)
  if (claims === undefined) return undefined
  return { text, signed: text.slice(0, second), header, signature, claims }
}

/** The JOSE header of a token, not yet trusted; `undefined` when it is no JSON object. */
export function readHeader(jwt: Jwt): Readonly<Record<string, unknown>> | undefined {
  return readObject(Buffer.from(jwt.header, 'base64url'))
}

function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : undefined
}

function readObject(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}
