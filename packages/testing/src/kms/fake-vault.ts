import { randomBytes } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TransitKey, TransitRefusal, transitDecrypt, transitEncrypt, transitKey } from './transit-key.ts'

/** What happens to a request: no answer, an answer of this status, a cut connection, or 200 with this text. */
export type VaultFault =
  | { kind: 'hang' }
  | { kind: 'status'; status: number }
  | { kind: 'cut' }
  | { kind: 'babble'; text: string }

/** A transit engine of Vault or OpenBao at the level of its HTTP interface. */
export type FakeVault = {
  /** Scheme, host and port. */
  address: string
  /** Tokens that it takes, each with the names of keys that its policy covers; `*` is all. */
  tokens: Map<string, string>
  /** The keys of the mount `transit`, by name. */
  keys: Map<string, TransitKey>
  /** Method and path of each request that came. */
  requests: string[]
  /** How many connections were opened. */
  connections(): number
  /** Applies to the next `times` requests, or to all. */
  fault(fault: VaultFault, times?: number): void
  heal(): void
  stop(): Promise<void>
}

type Reply = { status: number; body?: object }
const refusal = (status: number, ...errors: string[]): Reply => ({ status, body: { errors } })

/**
 * Starts one on a loopback port. It checks token, namespace, `X-Vault-Request` and policy, derives a key per context, words its refusals as
 * OpenBao 2 does (builtin/logical/transit), and makes a key by `encrypt`, as the real one does: an adapter that calls it is found out.
 */
export async function startFakeVault(options: {
  namespace?: string
  tls?: { key: string; cert: string }
}): Promise<FakeVault> {
  const keys = new Map<string, TransitKey>()
  const tokens = new Map<string, string>()
  const requests: string[] = []
  let planned: { fault: VaultFault; left: number } | undefined
  let opened = 0

  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response).catch(() => response.destroy())
  const server = options.tls === undefined ? createHttpServer(handle) : createHttpsServer(options.tls, handle)
  server.on('connection', () => {
    opened += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const path = decodeURIComponent(request.url ?? '')
    requests.push(`${request.method} ${path}`)
    const fault = planned !== undefined && planned.left > 0 ? planned.fault : undefined
    if (planned !== undefined) planned.left -= 1
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'cut') return void response.destroy()
    if (fault?.kind === 'babble') return void response.end(fault.text)
    const text = Buffer.concat(chunks).toString()
    const { status, body } =
      fault === undefined
        ? reply({ keys, tokens, namespace: options.namespace }, request, path, text)
        : refusal(fault.status)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`)
  }

  return {
    address: `${options.tls === undefined ? 'http' : 'https'}://${options.tls === undefined ? '127.0.0.1' : 'localhost'}:${port}`,
    tokens,
    keys,
    requests,
    connections: () => opened,
    fault(fault, times = Number.POSITIVE_INFINITY) {
      planned = { fault, left: times }
    },
    heal() {
      planned = undefined
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Engine = Pick<FakeVault, 'keys' | 'tokens'> & { namespace: string | undefined }

function reply(
  { keys, tokens, namespace }: Engine,
  request: IncomingMessage,
  path: string,
  text: string,
): Reply {
  if (request.headers['x-vault-request'] !== 'true')
    return refusal(412, "missing required 'X-Vault-Request' header")
  const token = request.headers['x-vault-token']
  const [, name = ''] = /\/([\w.-]+?)(?:\/rotate)?$/.exec(path) ?? []
  const allowed = typeof token === 'string' ? tokens.get(token) : undefined
  const isInside = request.headers['x-vault-namespace'] === namespace
  if (!isInside || (allowed !== name && allowed !== '*')) return refusal(403, 'permission denied')
  if (!path.startsWith('/v1/transit/'))
    return refusal(404, `no handler for route "${path.slice('/v1/'.length)}". route entry not found.`)
  try {
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    return transit(keys, `${request.method} ${path.slice('/v1/transit/'.length)}`, body)
  } catch (error) {
    return error instanceof TransitRefusal ? refusal(400, error.message) : refusal(500, 'internal error')
  }
}

/** One call of the engine. */
function transit(keys: Map<string, TransitKey>, call: string, body: Record<string, unknown>): Reply {
  const [, action = '', name = ''] =
    /^(GET keys|POST encrypt|POST decrypt|POST rewrap|POST datakey\/plaintext|POST keys)\/([\w.-]+)(?:\/rotate)?$/.exec(
      call,
    ) ?? []
  if (action === 'POST encrypt' && !keys.has(name)) keys.set(name, transitKey({ derived: 'context' in body }))
  if (action === 'POST keys' && !call.endsWith('/rotate') && !keys.has(name))
    keys.set(name, transitKey({ derived: body['derived'] === true }))
  const key = keys.get(name)
  if (key === undefined)
    return action === 'GET keys' ? refusal(404) : refusal(400, 'encryption key not found')
  const context = bytes(body['context'])
  const wrapped = (plaintext: Uint8Array) => ({
    ciphertext: transitEncrypt(key, plaintext, context),
    key_version: key.versions.length,
  })
  switch (action) {
    case 'GET keys':
      return { status: 200, body: { data: described(name, key) } }
    case 'POST keys':
      if (call.endsWith('/rotate')) key.versions.push(randomBytes(32))
      return { status: 204 }
    case 'POST encrypt':
      return { status: 200, body: { data: wrapped(bytes(body['plaintext'])) } }
    case 'POST datakey/plaintext': {
      const dataKey = randomBytes(body['bits'] === 512 ? 64 : 32)
      return { status: 200, body: { data: { ...wrapped(dataKey), plaintext: dataKey.toString('base64') } } }
    }
    case 'POST decrypt': {
      const plaintext = transitDecrypt(key, String(body['ciphertext']), context).toString('base64')
      return { status: 200, body: { data: { plaintext } } }
    }
    case 'POST rewrap':
      return {
        status: 200,
        body: { data: wrapped(transitDecrypt(key, String(body['ciphertext']), context)) },
      }
    default:
      return refusal(404, 'unsupported path')
  }
}

function described(name: string, key: TransitKey) {
  return {
    name,
    type: key.type,
    derived: key.derived,
    ...(key.derived && { kdf: 'hkdf_sha256', convergent_encryption: key.convergent }),
    deletion_allowed: false,
    exportable: false,
    latest_version: key.versions.length,
    min_available_version: 0,
    min_decryption_version: key.minDecryptionVersion,
    min_encryption_version: 0,
    supports_encryption: true,
    supports_decryption: true,
  }
}

function bytes(base64: unknown): Buffer {
  if (base64 === undefined) return Buffer.alloc(0)
  const decoded = Buffer.from(String(base64), 'base64')
  if (decoded.toString('base64') !== base64) throw new TransitRefusal('failed to base64-decode context')
  return decoded
}
