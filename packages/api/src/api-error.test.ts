import { expect, test } from 'vitest'
import { SendAgentTransaction } from './agent-session.ts'
import { ApiError } from './api-error.ts'
import { issueWords } from './issue-words.ts'
import { validationDetails } from './validation-details.ts'

const messageOf = (body: unknown) => {
  const { error } = SendAgentTransaction.safeParse(body, { error: issueWords })
  return error && new ApiError('invalid_request', { details: validationDetails(error) }).message
}
const chain = 'base'

test('the message of a validation error says where and why, since logs and models read nothing else', () => {
  expect(messageOf({ chain, to: '0x', value: '0.1' })).toBe(
    'The request is invalid: `value` must be a whole number in the smallest unit, below 2^256.',
  )
  expect(messageOf({ chain })).toBe('The request is invalid: `to` is required.')
  expect(messageOf({ chain, to: '0x', amount: '1' })).toBe('The request has an unknown field: `amount`.')
})

test('of several issues, the message tells the first and how many more the details list', () => {
  expect(messageOf({ chain, value: '0.1' })).toBe('The request is invalid: `to` is required (and 1 more).')
  const issues = (length: number) => Array.from({ length }, () => ({ path: ['a'], message: 'is required' }))
  const said = (length: number) =>
    new ApiError('invalid_request', { details: { issues: issues(length) } }).message
  expect(said(3)).toBe('The request is invalid: `a` is required (and 2 more).')
  // Details list 16 at most.
  expect(said(16)).toBe('The request is invalid: `a` is required (and at least 15 more).')
})

test('the message stays in one short line, whatever the request brought', () => {
  for (const key of ['x'.repeat(100_000), 'a\nb\u202ec\0', 'y'.repeat(150), '<img src=x onerror=a&b>']) {
    const message = messageOf({ chain, to: '0x', [key]: 1 }) ?? ''
    expect(message.length).toBeLessThan(350)
    expect(message).toMatch(
      /^The request (is invalid:|has an unknown field:) [^\p{Cc}\p{Bidi_Control}<>&]+\.$/u,
    )
  }
  const path = Array.from({ length: 100 }, () => 'deep'.repeat(50))
  const details = { issues: [{ path, message: 'no' }] }
  expect(new ApiError('invalid_request', { details }).message.length).toBeLessThan(350)
})

test('a message of its own stands, and so does the catalogue’s where there is no issue', () => {
  const details = { issues: [{ path: ['a'], message: 'no' }] }
  expect(new ApiError('invalid_request', { message: 'Own.', details }).message).toBe('Own.')
  for (const none of [undefined, null, {}, { issues: [] }, { issues: [7] }, 'x'])
    expect(new ApiError('invalid_request', { details: none }).message).toBe('The request is invalid.')
  expect(new ApiError('not_found', { details }).message).toBe('Not found.')
})
