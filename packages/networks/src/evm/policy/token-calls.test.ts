import fc from 'fast-check'
import { encodeFunctionData, type Hex, hexToBytes, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { checksumAddress } from '../address.ts'
import { isTokenCallMethod, readTokenCall } from './token-calls.ts'

const [contract, sender] = ['11', '22'].map((byte) =>
  checksumAddress(hexToBytes(`0x${byte.repeat(20)}`)),
) as [Hex, Hex]
const abi = parseAbi([
  'function redeem(uint256,address,address)',
  'function withdrawTo(address,address,uint256,uint32,bytes)',
  'function batchTransfer(address[],uint256[])',
])
const account = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(checksumAddress)
const amount = fc.bigInt(0n, 2n ** 256n - 1n)
const read = (data: Hex) => readTokenCall(hexToBytes(data), { contract, sender })

test('a redemption counts in shares and goes to its receiver, or to the contract if the receiver is the sender', () => {
  fc.assert(
    fc.property(amount, fc.oneof(account, fc.constant(sender)), account, (shares, receiver, owner) => {
      const data = encodeFunctionData({ abi, functionName: 'redeem', args: [shares, receiver, owner] })
      const to = receiver === sender ? contract : receiver
      expect(read(data)).toMatchObject([{ kind: 'call', asset: contract, amount: shares, to, contract }])
      expect(read(`${data}00`)).toBeUndefined()
      expect(isTokenCallMethod(hexToBytes(`${data}00`))).toBe(true)
    }),
  )
})

test('a bridge takes the token that the call names', () => {
  fc.assert(
    fc.property(account, account, amount, (token, to, moved) => {
      const args = [token, to, moved, 0, '0x'] as const
      const data = encodeFunctionData({ abi, functionName: 'withdrawTo', args })
      expect(read(data)).toMatchObject([{ kind: 'call', asset: token, amount: moved, to, contract }])
    }),
  )
})

test('a list of transfers is one effect for each, and none where the lists differ in length', () => {
  const pairs = fc.array(fc.tuple(account, amount), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(pairs, (list) => {
      const accounts = list.map(([to]) => to)
      const amounts = list.map(([, each]) => each)
      const data = (values: bigint[]) =>
        encodeFunctionData({ abi, functionName: 'batchTransfer', args: [accounts, values] })
      expect(read(data(amounts))?.map(({ to, amount: moved }) => [to, moved])).toEqual(list)
      expect(read(data(amounts.slice(1)))).toBeUndefined()
    }),
  )
})

test('a method that is not known takes nothing that is known', () => {
  for (const data of ['0x12345678', '0x12', '0x'] as const) {
    expect(read(data)).toBeUndefined()
    expect(isTokenCallMethod(hexToBytes(data))).toBe(false)
  }
})
