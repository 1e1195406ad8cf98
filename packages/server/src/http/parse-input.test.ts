import { type ApiError, getAgent } from '@symbolon/api'
import { expect, test } from 'vitest'
import { parseInput } from './parse-input.ts'

const orgID = '0199c2f1-7a00-7000-8000-000000000001'
const nowhere = (agentID: unknown): ApiError => {
  try {
    parseInput(getAgent, { params: { orgID, agentID }, query: {}, body: undefined })
  } catch (error) {
    return error as ApiError
  }
  throw new Error('it was found')
}

test('an address that names nothing says which part of it is wrong, with the value where it is harmless', () => {
  for (const name of ['payer', orgID.toUpperCase()])
    expect(nowhere(name)).toMatchObject({
      code: 'not_found',
      status: 404,
      message: `Nothing has this address: its agentID \`${name}\` must be a lower-case UUID.`,
    })
})

test.each([
  '',
  ' ',
  'a b',
  '<b>x</b>',
  'a`b',
  'a\nb',
  '\u202ex',
  'x'.repeat(37),
  `sk_live_${'0'.repeat(49)}`,
])('%j is not repeated', (value) => {
  expect(nowhere(value).message).toBe('Nothing has this address: its agentID is empty or malformed.')
})
