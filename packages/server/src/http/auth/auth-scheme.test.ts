import { errors } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import { expect, test } from 'vitest'
import { type Credentials, mistyped, requireBearer, unknown, whereKeys } from './auth-scheme.ts'

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
const wanted =
  'This call needs the header `Authorization: Bearer sk_live_…` or `Authorization: Bearer as_live_…`.'

test.each([undefined, '', 'Bearer', 'Basic Zm9v', 'sk_live_0', 'Bearer foo'])(
  'a request with the credential %j learns which credentials its route takes, and never sees its own again',
  (authorization) => {
    expect(() => bearer(authorization)).toThrow(
      expect.objectContaining({
        status: errors.unauthorized.status,
        message: wanted,
      }),
    )
  },
)

test('a bearer of a kind that the route takes is returned as it is', () => {
  expect(bearer('bearer as_live_x')).toBe('as_live_x')
})

test.each([
  ['pk_live_', 'a publishable key'],
  ['ac_live_', 'a delegation by an agent'],
])('a %s credential in the place of another is called by its name, and not repeated', (prefix, name) => {
  const given = `${prefix}${mintToken('pk_live_', new Uint8Array(32)).slice(8)}`
  expect(() => bearer(`Bearer ${given}`)).toThrow(
    expect.objectContaining({ status: errors.unauthorized.status, message: `This is ${name}. ${wanted}` }),
  )
})

test('a refused credential is told where a good one comes from', () => {
  const kind = { name: 'secret key', where: whereKeys }
  const where = 'Create one in the portal, under API keys, or in development take it from dev.json.'
  expect(mistyped(kind).message).toBe(`This secret key is incomplete or mistyped. ${where}`)
  expect(unknown(kind).message).toBe(`This secret key is unknown or was revoked. ${where}`)
})
