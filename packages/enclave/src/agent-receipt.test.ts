import { expect, test } from 'vitest'
import { agentBudget, spentBeforeOf } from './agent-receipt.ts'
import { EnclaveFault } from './enclave-fault.ts'

test('sums are pairs of a counter and a decimal text, each counter once', () => {
  expect([...spentBeforeOf('[["native ETH/18","0"],["token base 0x1","78"]]')]).toEqual([
    ['native ETH/18', 0n],
    ['token base 0x1', 78n],
  ])
  for (const bad of [
    '',
    '{}',
    'null',
    '[["a"]]',
    '[["a",1]]',
    '[["a","1","1"]]',
    '[["a","01"]]',
    '[["a","-1"]]',
    '[["a","1.0"]]',
    '[["a","0x1"]]',
    `[["a","${'1'.repeat(79)}"]]`,
    '[["a","1"],["a","1"]]',
    `[["a","1"]${' '.repeat(256 << 10)}]`,
  ])
    expect(() => spentBeforeOf(bad), bad).toThrow(EnclaveFault)
})

test('a budget has a row for each asset and none for the count; what is not listed was 0 before', () => {
  const spend = (counter: string, asset: string, amount: bigint) => ({ counter, asset, amount, caps: [] })
  const spends = [
    spend('native ETH/18', 'ETH', 5n),
    spend('transactions', 'transactions', 1n),
    spend('token base 0x1', 'base 0x1', 2n),
  ]
  const before = new Map([
    ['native ETH/18', 10n],
    ['transactions', 9n],
  ])
  expect(agentBudget(spends, before)).toEqual([
    { asset: 'ETH', spent_before: '10', spent_after: '15' },
    { asset: 'base 0x1', spent_before: '0', spent_after: '2' },
  ])
  expect(agentBudget([], before)).toEqual([])
})
