import { readFile } from 'node:fs/promises'
import { wipe } from '@symbolon/crypto'
import { contextBytes } from '@symbolon/crypto/node'
import * as z from 'zod'
import { KmsError } from '../../ports/kms.ts'
import type { ApiPurpose, KeyRow, KeyService, Wrapped } from './key-service.ts'
import { kmsHttp } from './kms-http.ts'
import { cutSecret } from './secret-json.ts'

/** Where the transit keys are, and what opens the door. */
export type VaultConfig = {
  /** Scheme, host and port. */
  address: string
  /** Path of the transit engine. */
  mount: string
  /** The key of a purpose is named `<prefix>-<purpose>`. */
  prefix: string
  namespace: string | undefined
  /** A token, or the file in which something else keeps a fresh one. */
  token: { value: string } | { file: string }
  /** PEM certificates of the authorities to trust instead of Node's own. */
  ca: string | undefined
}

/**
 * Vault's or OpenBao's transit engine as key service: one derived key per purpose, whose context is the row, so that each row's data key is
 * under a key of its own. The versions are transit's. It never makes a key: unlike `encrypt`, none of the calls it uses does
 * (https://openbao.org/api-docs/secret/transit/).
 */
export function kmsVault(config: VaultConfig): KeyService {
  const call = vaultCalls(config)
  const nameOf = (purpose: ApiPurpose) => `${config.prefix}-${purpose}`
  const derived = new Set<ApiPurpose>()

  /** Reads the key, and refuses one that would ignore the row or is too short. */
  async function read(purpose: ApiPurpose, signal: AbortSignal): Promise<number> {
    derived.delete(purpose)
    const { data } = keyAnswer.parse(json(await call('GET', `keys/${nameOf(purpose)}`, undefined, signal)))
    if (!data.derived || data.convergent_encryption === true || !ciphers.includes(data.type))
      throw new KmsError(
        'unavailable',
        new Error(`The transit key ${nameOf(purpose)} is not derived, is convergent or has another type.`),
      )
    derived.add(purpose)
    return data.latest_version
  }

  return {
    keyId: (purpose) => `vault:${config.mount}/${nameOf(purpose)}`,

    async generate(row, signal) {
      if (!derived.has(row.purpose)) await read(row.purpose, signal)
      const path = `datakey/plaintext/${nameOf(row.purpose)}`
      const answer = await call('POST', path, { context: contextOf(row), bits: 256 }, signal)
      const dataKey = secretOf(answer)
      return { dataKey, ...wrappedOf(json(answer)) }
    },

    async unwrap(row, wrapped, signal) {
      const body = { context: contextOf(row), ciphertext: ciphertextOf(wrapped) }
      return secretOf(await call('POST', `decrypt/${nameOf(row.purpose)}`, body, signal))
    },

    async rewrap(row, wrapped, signal) {
      if (!derived.has(row.purpose)) await read(row.purpose, signal)
      const body = { context: contextOf(row), ciphertext: ciphertextOf(wrapped) }
      return wrappedOf(json(await call('POST', `rewrap/${nameOf(row.purpose)}`, body, signal)))
    },

    async rotate(purpose, signal) {
      await read(purpose, signal)
      await call('POST', `keys/${nameOf(purpose)}/rotate`, {}, signal)
      return read(purpose, signal)
    },

    currentVersion: read,

    async check(purpose, signal) {
      await read(purpose, signal)
    },
  }
}

const ciphers: readonly string[] = ['aes256-gcm96', 'chacha20-poly1305', 'xchacha20-poly1305']
const keyAnswer = z.object({
  data: z.object({
    type: z.string(),
    derived: z.boolean(),
    convergent_encryption: z.boolean().optional(),
    latest_version: z.int().min(1),
  }),
})
const ciphertext = /^vault:v([1-9]\d{0,8}):([A-Za-z0-9+/]+={0,2})$/
const wrappedAnswer = z.object({ data: z.object({ ciphertext: z.string().regex(ciphertext) }) })
const refusal = z.object({ errors: z.array(z.string()) })

const contextOf = (row: KeyRow): string => Buffer.from(contextBytes(row)).toString('base64')
const ciphertextOf = ({ keyVersion, wrapped }: Wrapped): string =>
  `vault:v${keyVersion}:${Buffer.from(wrapped).toString('base64')}`

/** Envelopes hold the bytes behind the prefix: the version is in their header. */
function wrappedOf(answer: unknown): Wrapped {
  const [, version, base64 = ''] = ciphertext.exec(wrappedAnswer.parse(answer).data.ciphertext) ?? []
  return { keyVersion: Number(version), wrapped: Uint8Array.from(Buffer.from(base64, 'base64')) }
}

const json = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString())

function secretOf(body: Uint8Array): Uint8Array {
  const secret = cutSecret(body, 'plaintext')
  if (secret === undefined) throw new KmsError('unavailable', new Error('The answer has no data key.'))
  return secret
}

/** Calls the engine with the current token; where that is refused, once more with the one that the file has now. */
function vaultCalls({ address, mount, namespace, token, ca }: VaultConfig) {
  const send = kmsHttp({ ca })
  let current = 'value' in token ? token.value : undefined

  async function freshToken(): Promise<string> {
    if ('value' in token) return token.value
    current = (await readFile(token.file, 'utf8')).trim()
    return current
  }

  return async (method: 'GET' | 'POST', path: string, body: object | undefined, signal: AbortSignal) => {
    const attempt = (withToken: string) =>
      send({
        method,
        url: `${address}/v1/${mount}/${path}`,
        headers: {
          'x-vault-token': withToken,
          'x-vault-request': 'true',
          ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
        },
        ...(body !== undefined && { body }),
        signal,
      })
    const used = current ?? (await freshToken())
    let answer = await attempt(used)
    if (answer.status === 403) {
      const fresh = await freshToken()
      if (fresh !== used) answer = await attempt(fresh)
    }
    if (answer.status < 200 || answer.status > 299) throw refused(answer.status, answer.body)
    return answer.body
  }
}

/** Transit answers 400 for all that a caller did wrong, with a sentence that says what. */
function refused(status: number, body: Uint8Array): KmsError {
  const reasons = reasonsOf(body)
  const cause = new Error(`Vault answered ${status}${reasons === '' ? '' : `: ${reasons}`}`)
  wipe(body)
  if (status === 404 || /key not found|too (old|new)|larger than the latest/.test(reasons))
    return new KmsError('unknown_key', cause)
  if (status === 400 || /message authentication failed|unable to decrypt/.test(reasons))
    return new KmsError('unauthenticated', cause)
  return new KmsError('unavailable', cause)
}

function reasonsOf(body: Uint8Array): string {
  try {
    return refusal.parse(json(body)).errors.join('; ').slice(0, 200)
  } catch {
    return ''
  }
}
