import fc from 'fast-check'
import { entryPoint07Address, getUserOperationHash } from 'viem/account-abstraction'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { randomUserOperation } from '../testing/random-user-operation.fuzz.ts'
import { vectorJson } from '../testing/vectors.ts'
import { entryPoint } from './entry-point.ts'
import { builtOperationFromJson, type UserOperation, userOperationJson } from './user-operation.ts'
import { paymasterAndDataHash, userOperationHash } from './user-operation-hash.ts'

const sender = '0x1eCBebd01B398F87d75aB93D853E340192D402Ac'
const op: UserOperation = {
  sender,
  nonce: 7n << 64n,
  callData: '0xb61d27f6',
  callGasLimit: 100_000n,
  verificationGasLimit: 50_000n,
  preVerificationGas: 45_000n,
  maxFeePerGas: 2n * 10n ** 9n,
  maxPriorityFeePerGas: 10n ** 9n,
  signature: '0x',
}

describe('hash of a user operation', () => {
  test('generated operations hash as in viem', () => {
    expect(entryPoint).toBe(entryPoint07Address)
    fc.assert(
      fc.property(randomUserOperation, fc.integer({ min: 1, max: 2 ** 31 }), (userOperation, chainId) => {
        const expected = getUserOperationHash({
          chainId,
          entryPointAddress: entryPoint07Address,
          entryPointVersion: '0.7',
          userOperation,
        })
        expect(userOperationHash(userOperation, chainId)).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('the hash of what the paymaster signed stands for it, also when read from JSON', () => {
    fc.assert(
      fc.property(randomUserOperation, fc.integer({ min: 1, max: 2 ** 31 }), (operation, chainId) => {
        const {
          signature: _,
          paymaster,
          paymasterVerificationGasLimit,
          paymasterPostOpGasLimit,
          paymasterData,
          ...rest
        } = operation
        const built = {
          ...rest,
          ...(paymaster !== undefined && { paymasterAndDataHash: paymasterAndDataHash(operation) }),
        }
        expect(userOperationHash(built, chainId)).toBe(userOperationHash(operation, chainId))
        expect(builtOperationFromJson(userOperationJson(built))).toEqual(built)
      }),
      { numRuns: 100 },
    )
  })

  test('a built operation with a field that is missing, unknown, doubled or no hex is refused', () => {
    const { signature: _, ...unsigned } = op
    const json = userOperationJson(unsigned)
    const word = `0x${'11'.repeat(32)}` as const
    expect(builtOperationFromJson({ ...json, paymasterAndDataHash: word })).toEqual({
      ...unsigned,
      paymasterAndDataHash: word,
    })
    const { nonce: __, ...without } = json
    const wrong = [
      without,
      { ...json, paymaster: sender },
      { ...json, signature: '0x' },
      { ...json, nonce: '0x01' },
      { ...json, nonce: `0x1${'0'.repeat(64)}` },
      { ...json, callData: 5 },
      { ...json, sender: '1234' },
    ]
    for (const one of wrong) expect(() => builtOperationFromJson(one)).toThrow(NetworkError)
    expect(() => builtOperationFromJson({ ...json, nonce: '0x01' })).toThrow(
      "The operation's nonce must be 0x-prefixed hex, such as 0x5.",
    )
    const hashed = { ...unsigned, paymasterAndDataHash: word }
    expect(() => userOperationHash({ ...hashed, paymaster: sender } as never, 1)).toThrow(NetworkError)
    expect(() => userOperationHash({ ...hashed, paymasterAndDataHash: '0x11' }, 1)).toThrow(NetworkError)
  })

  test('the signature plays no part, everything else does', () => {
    const full: UserOperation = {
      ...op,
      factory: sender,
      factoryData: '0x12',
      paymaster: sender,
      paymasterVerificationGasLimit: 1n,
      paymasterPostOpGasLimit: 2n,
      paymasterData: '0x34',
    }
    const hash = userOperationHash(full, 8453)
    expect(userOperationHash({ ...full, signature: '0x1234' }, 8453)).toBe(hash)
    expect(userOperationHash(full, 1)).not.toBe(hash)
    for (const name of Object.keys(full) as (keyof UserOperation)[]) {
      if (name === 'signature') continue
      const value = full[name]
      const changed = typeof value === 'bigint' ? value + 1n : value === sender ? entryPoint : `${value}ff`
      expect(userOperationHash({ ...full, [name]: changed } as UserOperation, 8453), name).not.toBe(hash)
    }
  })

  test('a number beyond its field is refused, never cut', () => {
    const wide = 2n ** 128n
    for (const change of [
      { callGasLimit: wide },
      { verificationGasLimit: wide },
      { maxFeePerGas: wide },
      { maxPriorityFeePerGas: wide },
      { nonce: 2n ** 256n },
      { preVerificationGas: -1n },
      { paymaster: sender, paymasterPostOpGasLimit: wide } as const,
    ]) {
      expect(() => userOperationHash({ ...op, ...change }, 1)).toThrow(
        expect.objectContaining({ code: 'invalid_payload' }),
      )
    }
  })

  test('malformed hex, and data for a factory or paymaster that is not named, are refused', () => {
    for (const change of [
      { sender: '0x12' },
      { callData: '0x1' },
      { callData: 'ab' },
      { factoryData: '0x12' },
      { paymasterData: '0x12' },
      { paymasterPostOpGasLimit: 0n },
    ]) {
      expect(() => userOperationHash({ ...op, ...change } as UserOperation, 1)).toThrow(NetworkError)
    }
  })

  test('the RPC form has hex quantities and only the fields there are', () => {
    expect(userOperationJson({ ...op, nonce: 0n })).toEqual({
      sender,
      nonce: '0x0',
      callData: '0xb61d27f6',
      callGasLimit: '0x186a0',
      verificationGasLimit: '0xc350',
      preVerificationGas: '0xafc8',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x3b9aca00',
      signature: '0x',
    })
  })

  test('the operations of ox for EntryPoint v0.7 have their hashes', () => {
    type Case = {
      userOperation: Record<string, string>
      chainId: number
      entryPointAddress: Hex
      entryPointVersion: string
      userOpHash: string
    }
    const cases = vectorJson<Case[]>('erc4337/userophash_ox.json')
    const ours = cases?.filter((entry) => entry.entryPointVersion === '0.7') ?? []
    for (const { userOperation, chainId, entryPointAddress, userOpHash } of ours) {
      const parsed = Object.entries(userOperation).map(([name, value]) => [
        name,
        value.startsWith('0x') ? value : BigInt(value),
      ])
      expect(userOperationHash(Object.fromEntries(parsed), chainId, entryPointAddress)).toBe(userOpHash)
    }
    expect(cases === undefined || ours.length > 0).toBe(true)
  })

  test('an operation is hashed in well under a millisecond', () => {
    const [sample = op] = fc.sample(randomUserOperation, { numRuns: 1, seed: 1 })
    for (let round = 0; round < 500; round++) userOperationHash(sample, 1)
    const startedAt = process.cpuUsage()
    for (let round = 0; round < 1000; round++) userOperationHash(sample, 1)
    expect(process.cpuUsage(startedAt).user / 1_000 / 1_000).toBeLessThan(0.5)
  })
})
