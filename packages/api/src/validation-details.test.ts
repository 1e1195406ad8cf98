import { expect, test } from 'vitest'
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
