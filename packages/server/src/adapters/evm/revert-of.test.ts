import { expect, test } from 'vitest'
import { revertOf } from './revert-of.ts'

const no =
  '0x08c379a0' +
  '0000000000000000000000000000000000000000000000000000000000000020' +
  '0000000000000000000000000000000000000000000000000000000000000002' +
  '6e6f000000000000000000000000000000000000000000000000000000000000'

test.each([
  ['Geth, Erigon, anvil', { code: 3, message: 'execution reverted: no', data: no }],
  ['data one level deeper', { code: -32603, message: 'Internal error', data: { data: no } }],
  ['data two levels deeper', { code: -32000, message: 'failed', data: { originalError: { data: no } } }],
  ['Parity and its heirs', { code: -32015, message: 'VM execution error.', data: `Reverted ${no}` }],
  [
    'Hardhat',
    { code: -32603, message: 'Error: VM Exception while processing transaction', data: { result: no } },
  ],
])('a revert is recognised with its data and reason: %s', (_name, refusal) => {
  expect(revertOf(refusal)).toEqual({ reason: 'no', data: no })
})

test.each([
  [{ code: -32000, message: 'execution reverted: no', data: undefined }, 'no'],
  [{ code: -32000, message: 'execution reverted', data: undefined }, 'execution reverted'],
  [{ code: 3, message: 'execution reverted', data: '0x' }, 'execution reverted'],
  [{ code: 3, message: 'execution reverted:', data: undefined }, 'execution reverted'],
  [{ code: 3, message: 'execution reverted: \ufffd\ufffd x', data: undefined }, 'execution reverted'],
  [{ code: -32000, message: 'invalid opcode: INVALID', data: undefined }, 'invalid opcode: INVALID'],
])('a revert without data is recognised by its words: %o', (refusal, reason) => {
  expect(revertOf(refusal)?.reason).toBe(reason)
})

test.each([
  { code: -32003, message: 'Insufficient funds for gas * price + value', data: undefined },
  { code: -32000, message: 'gas required exceeds allowance (0)', data: undefined },
  { code: -32602, message: 'invalid argument 0', data: '0x' },
  { code: -32005, message: 'limit exceeded', data: { see: 'https://rpc.test' } },
  { code: -32603, message: 'Internal error', data: null },
])('a refusal of the node is not a revert: %o', (refusal) => {
  expect(revertOf(refusal)).toBeUndefined()
})
