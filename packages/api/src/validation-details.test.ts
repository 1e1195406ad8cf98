import { expect, test } from 'vitest'
import * as z from 'zod'
import { SignRequest } from './sign-request.ts'
import { firstIssueText, validationDetails } from './validation-details.ts'

const details = (body: unknown) => {
  const { error } = SignRequest.safeParse(body)
  return error && validationDetails(error)
}

test('an issue names the field and the reason', () => {
  expect(details({ type: 'hash', hash: '0x' })).toEqual({
    issues: [{ path: ['hash'], message: 'not 32 bytes in 0x-prefixed hex' }],
  })
})

test('a bound is in the line as words, since a page may not show its sign', () => {
  const { error } = z.object({ count: z.int().max(7) }).safeParse({ count: 8 })
  expect(firstIssueText(error && validationDetails(error))).toBe(
    'count: Too big: expected number to be at most 7',
  )
})

test('of the forms of a transaction, the one that was meant is explained', () => {
  const transaction = { to: '0x00', nonce: '0x0', gas_limit: '0x1' }
  expect(details({ type: 'transaction', chain: 'base', transaction })).toEqual({
    issues: [{ path: ['transaction', 'to'], message: 'not a 0x-prefixed 20-byte address' }],
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
