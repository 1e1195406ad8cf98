import { errors } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import { expect, test } from 'vitest'
import { type Credentials, requireBearer } from './auth-scheme.ts'

const bearer = (authorization: string | undefined): string => {
  const credentials: Credentials = {
    authorization,
    publishableKey: undefined,
    origin: undefined,
    address: '127.0.0.1',
    sessionToken: undefined,
    organizationId: undefined,
    agentId: undefined,
  }
  return requireBearer(credentials, 'sk_live_', 'as_live_')
}
const key = mintToken('pk_live_', new Uint8Array(32))

test.each([undefined, '', 'Bearer', 'Basic Zm9v', 'sk_live_0', 'Bearer foo', `Bearer ${key}`])(
  'a request with the credential %j learns which credentials its route takes, and never sees its own again',
  (authorization) => {
    expect(() => bearer(authorization)).toThrow(
      expect.objectContaining({
        status: errors.unauthorized.status,
        message:
          'This call needs the header `Authorization: Bearer sk_live_…` or `Authorization: Bearer as_live_…`.',
      }),
    )
  },
)

test('a bearer of a kind that the route takes is returned as it is', () => {
  expect(bearer('bearer as_live_x')).toBe('as_live_x')
})
