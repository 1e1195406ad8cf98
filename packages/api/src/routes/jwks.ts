import * as z from 'zod'
import type { Route } from '../route.ts'

/** An Ed25519 public key (RFC 8037). */
export const SigningJwk = z
  .strictObject({
    kty: z.enum(['OKP']),
    crv: z.enum(['Ed25519']),
    x: z.string().meta({ description: '32 bytes, base64url.' }),
    kid: z.string().meta({ description: 'The RFC 7638 thumbprint.' }),
    use: z.enum(['sig']),
    alg: z.enum(['EdDSA']),
  })
  .meta({ id: 'SigningJwk' })

/** An Ed25519 public key as the API returns it. */
export type SigningJwk = z.output<typeof SigningJwk>

/** The keys that the platform signs with. */
export const jwks = {
  id: 'jwks.list',
  method: 'GET',
  path: '/.well-known/jwks.json',
  lane: 'public',
  summary: 'Read the keys the platform signs with',
  description:
    'Raw JSON without the envelope (RFC 7517). The `v1a` signatures of webhooks verify with one of these keys.',
  status: 200,
  data: z.strictObject({ keys: z.array(SigningJwk) }).meta({ id: 'Jwks' }),
  errors: [],
  envelope: false,
} as const satisfies Route
