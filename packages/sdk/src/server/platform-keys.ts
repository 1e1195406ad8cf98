import { backend } from '../adapters/backend.ts'
import { given } from '../given.ts'
import { redirectSaid } from '../http/redirect.ts'
import { baseAddress, withoutSlash } from '../http/safe-url.ts'
import type { PlatformKey } from '../platform-key.ts'

/** Returns the platform's current public keys (Ed25519). Rejects if it cannot fetch them. */
export type PlatformKeys = () => Promise<readonly PlatformKey[]>

type PublicJwk = { readonly kty?: string; readonly crv?: string; readonly x?: string }

const keptMs = 60 * 60_000
const limitMs = 10_000

/**
 * The keys that a platform publishes at `/.well-known/jwks.json`, read when they are first needed and again after an hour.
 * Keys of other kinds are left out. Throws `TypeError` on invalid options.
 */
export function platformKeys(options: {
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch
  readonly nowMs?: () => number
}): PlatformKeys {
  const {
    baseUrl,
    fetch = backend.fetch,
    nowMs = backend.nowMs,
  } = given('platformKeys', options, ['baseUrl'])
  const address = withoutSlash(baseAddress(baseUrl))
  let known: { readonly untilMs: number; readonly keys: Promise<readonly PlatformKey[]> } | undefined
  return () => {
    if (known === undefined || known.untilMs <= nowMs()) {
      const keys = readKeys(address, fetch)
      const asked = { untilMs: nowMs() + keptMs, keys }
      known = asked
      // The next call repeats a request that failed.
      keys.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.keys
  }
}

async function readKeys(address: string, get: typeof globalThis.fetch): Promise<readonly PlatformKey[]> {
  const path = '/.well-known/jwks.json'
  const answer = await get(address + path, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) })
  const elsewhere = redirectSaid(address, path, answer)
  if (elsewhere !== undefined) throw new Error(elsewhere)
  if (!answer.ok) throw new Error(`The platform answered ${answer.status} when it was asked for its keys.`)
  const { keys } = (await answer.json()) as { readonly keys?: readonly PublicJwk[] }
  if (!Array.isArray(keys)) throw new Error('The platform returned no keys.')
  return importKeys(keys)
}

async function importKeys(keys: readonly PublicJwk[]): Promise<readonly PlatformKey[]> {
  const own = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
  return Promise.all(
    own.map(({ kty = '', crv = '', x = '' }) =>
      crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']),
    ),
  )
}
