import { issueWords, namedIssues, SignRequest, validationDetails } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { explainIssues } from './explain-issues.ts'

function messagesOf(body: object): readonly string[] {
  const { error } = SignRequest.safeParse(body, { error: issueWords })
  const details = error === undefined ? { issues: [] } : explainIssues(validationDetails(error), body)
  return (namedIssues(details) as { issues: { message: string }[] }).issues.map(({ message }) => message)
}

const foreign = networks.chains.filter(({ network }) => network !== 'evm')

test.each(foreign.map(({ handle }) => handle))(
  'a transaction given as an object says that %s takes a string',
  (chain) => {
    for (const transaction of [{}, { to: 'alice', amount: '1' }, [1, 2, 3], { nonce: '0x0', lamports: 5 }]) {
      const [first, ...others] = messagesOf({ type: 'transaction', chain, transaction, surplus: 1 })
      expect(first).toMatch(new RegExp(`^\`transaction\` must be a string on ${chain}: .`))
      expect(others).toEqual(['The request has an unknown field: `surplus`'])
    }
  },
)

test('on EVM chains, and where the chain is unknown, the fields of an object are what is wrong', () => {
  for (const chain of ['base', 'no-such-chain'])
    expect(messagesOf({ type: 'transaction', chain, transaction: {} })[0]).toBe(
      '`transaction.nonce` is required',
    )
  expect(messagesOf({ type: 'transaction', chain: 'solana', transaction: 5 })[0]).toBe(
    '`transaction` must be a string',
  )
})
