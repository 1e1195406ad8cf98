import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { type EvmCall, encodeCalls, encodeCreateAccount, encodeGetAddress } from './account-calls.ts'
import {
  decodeWords,
  encodeBalanceOf,
  encodeDecimals,
  encodeDepositOf,
  encodeGetNonce,
  encodeLatestRoundData,
} from './contract-reads.ts'

const abi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch(address[] to, uint256[] value, bytes[] data)',
  'function createAccount(address owner, uint256 salt)',
  'function getAddress(address owner, uint256 salt)',
  'function balanceOf(address owner)',
  'function getNonce(address sender, uint192 key)',
  'function latestRoundData()',
  'function decimals()',
])
const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hex = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const call: fc.Arbitrary<EvmCall> = fc.record({
  to: hex(20, 20),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  data: hex(0, 100),
})

describe('call data', () => {
  test('one call is execute, several are executeBatch, encoded as in viem', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 6 }), (calls) => {
        const [first] = calls
        const expected =
          calls.length === 1 && first
            ? encodeFunctionData({
                abi,
                functionName: 'execute',
                args: [first.to, first.value, first.data],
              })
            : encodeFunctionData({
                abi,
                functionName: 'executeBatch',
                args: [
                  calls.map(({ to }) => to),
                  calls.map(({ value }) => value),
                  calls.map(({ data }) => data),
                ],
              })
        expect(encodeCalls(calls)).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('no call, a malformed one or a value beyond 256 bits is refused', () => {
    const good: EvmCall = { to: owner, value: 0n, data: '0x' }
    for (const calls of [
      [],
      [{ ...good, to: '0x12' }],
      [{ ...good, to: owner.slice(2) }],
      [{ ...good, data: '0x1' }],
      [good, { ...good, data: '12' }],
      [{ ...good, data: '0xzz' }],
      [{ ...good, value: -1n }],
      [{ ...good, value: 2n ** 256n }],
    ]) {
      expect(() => encodeCalls(calls as EvmCall[])).toThrow(expect.objectContaining({ name: 'NetworkError' }))
    }
  })

  test('the calls of factory, EntryPoint, token and feed are those of viem', () => {
    const expected = (functionName: 'createAccount' | 'getAddress') =>
      encodeFunctionData({ abi, functionName, args: [owner, 0n] })
    expect(encodeCreateAccount(owner)).toBe(expected('createAccount'))
    expect(encodeGetAddress(owner)).toBe(expected('getAddress'))
    const balance = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
    expect([encodeBalanceOf(owner), encodeDepositOf(owner)]).toEqual([balance, balance])
    const key = 2n ** 192n - 1n
    expect(encodeGetNonce(owner, key)).toBe(
      encodeFunctionData({ abi, functionName: 'getNonce', args: [owner, key] }),
    )
    expect(() => encodeGetNonce(owner, key + 1n)).toThrow()
    expect(encodeLatestRoundData()).toBe(encodeFunctionData({ abi, functionName: 'latestRoundData' }))
    expect(encodeDecimals()).toBe(encodeFunctionData({ abi, functionName: 'decimals' }))
  })

  test('an answer is read word by word, and half a word is refused', () => {
    expect(decodeWords('0x')).toEqual([])
    expect(decodeWords(`0x${'0'.repeat(63)}1${'f'.repeat(64)}`)).toEqual([1n, 2n ** 256n - 1n])
    expect(() => decodeWords(`0x${'00'.repeat(33)}`)).toThrow()
    expect(() => decodeWords('0x1')).toThrow()
  })
})
