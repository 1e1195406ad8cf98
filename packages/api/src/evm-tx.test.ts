import { expect, test } from 'vitest'
import { BroadcastTx, PrepareTx } from './evm-tx.ts'

const to = `0x${'11'.repeat(20)}`
const isTaken = (fields: Record<string, unknown>) =>
  PrepareTx.safeParse({ chain: 'local', to, ...fields }).success

test('data and value have defaults, the gas limit has none', () => {
  expect(PrepareTx.parse({ chain: 'local', to })).toEqual({ chain: 'local', to, data: '0x', value: '0' })
})

test('a value is a canonical decimal below 2^256', () => {
  expect(isTaken({ value: (2n ** 256n - 1n).toString() })).toBe(true)
  for (const value of [
    (2n ** 256n).toString(),
    '9'.repeat(78),
    '1'.repeat(79),
    '',
    '01',
    '-1',
    '1.0',
    '1e18',
    '0x1',
    ' 1',
    '1\n',
    '１',
    1,
    null,
  ]) {
    expect(isTaken({ value }), String(value)).toBe(false)
  }
})

test('a gas limit is a canonical decimal below 2^64', () => {
  expect(isTaken({ gas_limit: (2n ** 64n - 1n).toString() })).toBe(true)
  for (const gas_limit of [(2n ** 64n).toString(), '0x5208', '', '021000', 21_000, undefined]) {
    expect(isTaken({ gas_limit }), String(gas_limit)).toBe(false)
  }
})

test('calldata is whole bytes in hex with 0x', () => {
  expect(isTaken({ data: '0x' }) && isTaken({ data: '0xAbCd' })).toBe(true)
  for (const data of ['', '0x1', 'abcd', '0xzz', '0Xabcd']) expect(isTaken({ data }), data).toBe(false)
})

test('only text can be an address or a transaction; the route names the rest', () => {
  expect(isTaken({ to: 'nobody' })).toBe(true)
  expect(BroadcastTx.safeParse({ chain: 'local', raw_tx: 'nothing' }).success).toBe(true)
  for (const value of [1, null, {}, undefined]) {
    expect(isTaken({ to: value })).toBe(false)
    expect(BroadcastTx.safeParse({ chain: 'local', raw_tx: value }).success).toBe(false)
  }
})
