import fc from 'fast-check'
import { encodeAbiParameters, getContractAddress, keccak256 } from 'viem'
import { recoverAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { lightAccountAddress, lightAccountFactory, stubSignature } from './light-account.ts'

test('the account of an owner is where the genuine factory puts it', () => {
  expect(lightAccountAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toBe(
    '0x1eCBebd01B398F87d75aB93D853E340192D402Ac',
  )
  expect(lightAccountAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')).toBe(
    '0x1eCBebd01B398F87d75aB93D853E340192D402Ac',
  )
})

test('it is the CREATE2 address of the ERC-1967 proxy with salt keccak(owner, 0)', () => {
  const bytecode: Hex =
    '0x603d3d8160223d39738e8e658e22b12ada97b402ff0b044d6a325013c760095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3'
  const owners = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(owners, (bytes) => {
      const owner: Hex = `0x${Buffer.from(bytes).toString('hex')}`
      const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))
      const expected = getContractAddress({ opcode: 'CREATE2', from: lightAccountFactory, bytecode, salt })
      expect(lightAccountAddress(owner)).toBe(expected)
    }),
  )
})

test('an owner of another length is refused', () => {
  for (const owner of ['0x', '0x12', `0x${'12'.repeat(21)}`, `0x${'zz'.repeat(20)}`] as const) {
    expect(() => lightAccountAddress(owner)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  }
})

test('the stub signature is one that some key could have made', async () => {
  expect(stubSignature).toHaveLength(2 + 2 * 66)
  expect(stubSignature.startsWith('0x00')).toBe(true)
  const signature: Hex = `0x${stubSignature.slice(4)}`
  expect(await recoverAddress({ hash: `0x${'11'.repeat(32)}`, signature })).toMatch(/^0x/)
})
