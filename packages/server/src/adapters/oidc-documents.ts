import type { JSONWebKeySet, JWK } from 'jose'
import * as z from 'zod'
import { IssuerError } from '../ports/issuer-keys.ts'

const keysMax = 100

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string().max(2_048) })

const Text = z.string().max(4_096).optional()
// Public members only (RFC 7518 section 6): a private or symmetric one has no business in a verification.
const Key = z.object({
  kty: z.enum(['RSA', 'EC', 'OKP']),
  kid: Text,
  use: Text,
  alg: Text,
  key_ops: z.array(z.string().max(64)).max(16).optional(),
  crv: Text,
  x: Text,
  y: Text,
  n: Text,
  e: Text,
})
const KeySet = z.object({ keys: z.array(z.unknown()).max(keysMax) })

/** The address of an issuer's keys. Throws `IssuerError` when the document is not this issuer's. */
export function readDiscovery(body: Uint8Array, issuer: string): { jwksUri: string } {
  const discovery = Discovery.safeParse(readJson(body))
  // OpenID Connect Discovery 1.0 section 4.3: the two must be identical.
  if (!discovery.success || discovery.data.issuer !== issuer) throw new IssuerError('invalid')
  return { jwksUri: discovery.data.jwks_uri }
}

/** The asymmetric public keys of a JWK set; keys of other kinds are left out. Throws `IssuerError` beyond 100 keys. */
export function readKeySet(body: Uint8Array): JSONWebKeySet {
  const set = KeySet.safeParse(readJson(body))
  if (!set.success) throw new IssuerError('invalid')
  const keys = set.data.keys.flatMap((key) => {
    const parsed = Key.safeParse(key)
    return parsed.success ? [parsed.data as JWK] : []
  })
  return { keys }
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (error) {
    throw new IssuerError('invalid', error)
  }
}
