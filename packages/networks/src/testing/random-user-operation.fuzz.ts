import fc from 'fast-check'
import type { Hex } from '../codec/hex.ts'
import type { UserOperation } from '../evm/user-operation.ts'

const hex = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const address = hex(20, 20)
const uint = (bits: number) =>
  fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }))

/** Operations with and without factory and paymaster, every number up to the width of its field. */
export const randomUserOperation: fc.Arbitrary<UserOperation> = fc
  .tuple(
    fc.record({
      sender: address,
      nonce: uint(256),
      callData: hex(0, 300),
      callGasLimit: uint(128),
      verificationGasLimit: uint(128),
      preVerificationGas: uint(256),
      maxFeePerGas: uint(128),
      maxPriorityFeePerGas: uint(128),
      signature: hex(0, 70),
    }),
    fc.oneof(fc.constant({}), fc.record({ factory: address, factoryData: hex(0, 100) })),
    fc.oneof(
      fc.constant({}),
      fc.record({
        paymaster: address,
        paymasterVerificationGasLimit: uint(128),
        paymasterPostOpGasLimit: uint(128),
        paymasterData: hex(0, 150),
      }),
    ),
  )
  .map(([op, factory, paymaster]) => ({ ...op, ...factory, ...paymaster }))
