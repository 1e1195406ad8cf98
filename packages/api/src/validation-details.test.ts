import { expect, test } from 'vitest'
import * as z from 'zod'
import { MintApiKey } from './api-key.ts'
import { CreateWalletFor } from './create-wallet.ts'
import { issueWords } from './issue-words.ts'
import { SignRequest } from './sign-request.ts'
import { validationDetails } from './validation-details.ts'

const details = (body: unknown) => {
  const { error } = SignRequest.safeParse(body, { error: issueWords })
  return error && validationDetails(error)
}

test('an issue names the field and the reason', () => {
  expect(details({ type: 'hash', hash: '0x' })).toEqual({
    issues: [{ path: ['hash'], message: 'must be 32 bytes in 0x-prefixed hex' }],
  })
})

test('of the forms of a transaction, the one that was meant is explained', () => {
  const transaction = { to: '0x00', nonce: '0x0', gas_limit: '0x1' }
  expect(details({ type: 'transaction', chain: 'base', transaction })).toEqual({
    issues: [{ path: ['transaction', 'to'], message: 'must be a 0x-prefixed 20-byte address' }],
  })
})

test('a refusal stays small however large the request, and repeats no value of it', () => {
  const secret = 'sk_live_planted'
  const names = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, secret]))
  const previews = { actions: Array.from({ length: 200 }, () => ({ kind: secret, amount: secret })) }
  for (const body of [
    { type: 'hash', hash: secret, ...names },
    { type: 'hash', hash: secret, preview: previews },
    { type: secret },
    { type: 'message', message: 'x', encoding: secret },
    { type: 'message', message: 'x', ['x'.repeat(100_000)]: 1 },
  ]) {
    const text = JSON.stringify(details(body))
    expect(text.length).toBeLessThan(6000)
    expect(text).not.toContain(secret)
  }
})

test('a field has one issue, a true one; unknown fields have their own', () => {
  const issuesOf = (schema: z.ZodType, value: unknown) => {
    const { error } = schema.safeParse(value, { error: issueWords })
    return (error === undefined ? [] : validationDetails(error).issues).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    )
  }
  expect(issuesOf(CreateWalletFor, { provider_user_id: '' })).toEqual(['provider_user_id: must not be empty'])
  expect(issuesOf(MintApiKey, { type: 'secret', name: 'x', expires_at: 'tomorrow' })).toEqual([
    'expires_at: must be an RFC 3339 date and time with a time zone',
  ])
  expect(issuesOf(z.strictObject({ a: z.string() }), { a: 1, b: 2 })).toEqual([
    'a: must be a string',
    ': has an unknown field: `b`',
  ])
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`f${i}`, z.string().min(3).regex(/^b/)]),
  )
  const values = Object.fromEntries(Object.keys(many).map((name) => [name, 'a']))
  expect(issuesOf(z.strictObject(many), values)).toHaveLength(16)
})
