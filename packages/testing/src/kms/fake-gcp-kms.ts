import { type KeyObject, randomBytes, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { callGcpKey, type GcpBody, type GcpKey, type GcpWire, Refusal } from './gcp-kms-keys.ts'
import { loopbackServer } from './loopback-server.ts'

/** Cloud KMS at the level of its REST interface, and the metadata server beside it. */
export type FakeGcpKms = {
  url: string
  /** The keys, by resource name. */
  keys: Map<string, GcpKey>
  /** Method and path of each request that came. */
  requests: string[]
  /** Tokens of the metadata server that are good. */
  tokens: Set<string>
  hang(): void
  /** Flips a bit of what the next answer carries, behind its checksum. */
  corruptNext(): void
  stop(): Promise<void>
}

/**
 * Starts one on a loopback port. It takes tokens of its own metadata server, and those that `account` signed for the service and that are in
 * time; it compares every checksum and binds ciphertexts to key, version and additional data. Google's checksum is given by `crc32c`.
 */
export async function startFakeGcpKms(options: {
  account: { email: string; publicKey: KeyObject } | undefined
  crc32c: (bytes: Uint8Array) => number
}): Promise<FakeGcpKms> {
  const { account } = options
  const wire: GcpWire = { crc32c: options.crc32c, isCorrupting: false }
  const keys = new Map<string, GcpKey>()
  const requests: string[] = []
  const tokens = new Set<string>()
  let isHanging = false
  const { url, stop } = await loopbackServer((request, content, response) => {
    if (isHanging) return
    requests.push(`${request.method} ${request.url}`)
    const send = (status: number, content: object) =>
      // Google indents its answers.
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(content, undefined, 2))
    try {
      const text = content.toString()
      send(200, perform(request, text === '' ? {} : (JSON.parse(text) as GcpBody)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      send(error.code, { error: { code: error.code, message: error.status, status: error.status } })
    }
  })

  function perform(request: IncomingMessage, body: GcpBody): object {
    const path = request.url ?? ''
    if (path === '/computeMetadata/v1/instance/service-accounts/default/token') {
      if (request.headers['metadata-flavor'] !== 'Google') throw new Refusal(403, 'FORBIDDEN')
      const token = `ya29.${randomBytes(12).toString('hex')}`
      tokens.add(token)
      return { access_token: token, expires_in: 3_599, token_type: 'Bearer' }
    }
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!tokens.has(token) && (account === undefined || !isSignedBy(account, token)))
      throw new Refusal(401, 'UNAUTHENTICATED')
    return callGcpKey(keys, wire, { method: request.method, url: path, body })
  }

  return {
    url,
    keys,
    requests,
    tokens,
    hang() {
      isHanging = true
    },
    corruptNext() {
      wire.isCorrupting = true
    },
    stop,
  }
}

/** A self-signed token for Cloud KMS (AIP 4111), at most an hour long. */
function isSignedBy(account: { email: string; publicKey: KeyObject }, token: string): boolean {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const content = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', content, account.publicKey, Buffer.from(signature, 'base64url'))) return false
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as GcpBody
  const { iss, sub, aud, iat, exp } = read(claims)
  const now = Date.now() / 1000
  const isTimely = Number(iat) <= now + 1 && Number(exp) > now && Number(exp) - Number(iat) <= 3_600
  const isOurs = iss === account.email && sub === account.email && aud === 'https://cloudkms.googleapis.com/'
  return read(head)['alg'] === 'RS256' && isOurs && isTimely
}
