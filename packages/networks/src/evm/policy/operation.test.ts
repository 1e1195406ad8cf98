import { encodeFunctionData, erc20Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../../intent/message-bytes.ts'
import type { StoredOperation } from '../../policy/agent-decoded.ts'
import { decodeForAgent, walletAddresses } from '../../testing/by-intent.ts'
import { testKey } from '../../testing/oracle-signer.ts'
import { encodeCalls, encodeCreateAccount } from '../account-calls.ts'
import { lightAccountAddress, lightAccountFactory } from '../light-account.ts'
import { type UserOperation, userOperationJson } from '../user-operation.ts'
import { userOperationHash } from '../user-operation-hash.ts'

const { publicKey } = testKey('secp256k1', 1)
const owner = walletAddresses('secp256k1', publicKey)['evm'] as Hex
const account = lightAccountAddress(owner)
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] })

const operation: Omit<UserOperation, 'signature'> = {
  sender: account,
  nonce: 1n,
  callData: encodeCalls([
    { to: friend, value: 7n, data: '0x' },
    { to: token, value: 0n, data: transfer },
  ]),
  callGasLimit: 100n,
  verificationGasLimit: 200n,
  preVerificationGas: 300n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
}
const sponsored = {
  ...operation,
  paymaster: friend,
  paymasterVerificationGasLimit: 40n,
  paymasterPostOpGasLimit: 5n,
  paymasterData: '0x1234',
} as const
const stored = (op: Omit<UserOperation, 'signature'>, chain = 'base'): StoredOperation => ({
  chain,
  operation: userOperationJson(op),
})

/** Signs the hash of `op`, and hands over `given` as what it stands for. */
function decode(op: Omit<UserOperation, 'signature'>, given: StoredOperation | undefined = stored(op)) {
  const hash = messageBytes(userOperationHash(op, 8453), 'hex')
  const asOperation = decodeForAgent(
    { kind: 'user_operation', chain: 'base', hash },
    'secp256k1',
    publicKey,
    given,
  )
  const asMessage = decodeForAgent(
    { kind: 'message', network: 'evm', chain: 'base', message: hash },
    'secp256k1',
    publicKey,
    given,
  )
  expect(asMessage.digests).toEqual(asOperation.digests)
  expect(asMessage.effects).toEqual(asOperation.effects)
  const traps = [asOperation.trap, asMessage.trap]
  return { effects: asOperation.effects, fee: asOperation.fee, traps }
}
const unknown = ['payload_undecodable', 'message_is_transaction']

describe('an operation of the smart account', () => {
  test('is its calls, made by the account, and costs all its gas at the highest price', () => {
    expect(decode(operation)).toEqual({
      effects: [
        expect.objectContaining({ kind: 'transfer', isNative: true, amount: 7n, from: account, to: friend }),
        expect.objectContaining({ kind: 'transfer', asset: token, amount: 5n, from: account, to: friend }),
      ],
      fee: 6000n,
      traps: [null, null],
    })
  })

  test('costs nothing where a paymaster pays, but one at the zero address does not', () => {
    expect(decode(sponsored)).toMatchObject({ fee: null, traps: [null, null] })
    expect(decode({ ...sponsored, paymaster: zeroAddress })).toMatchObject({ fee: 6450n })
  })

  test('may create the account, for its owner only', () => {
    const created = { ...operation, factory: lightAccountFactory, factoryData: encodeCreateAccount(owner) }
    expect(decode(created).traps).toEqual([null, null])
    expect(decode({ ...created, factoryData: encodeCreateAccount(friend) }).traps).toEqual(unknown)
    expect(decode({ ...created, factory: friend }).traps).toEqual(unknown)
    expect(decode({ ...created, factoryData: `${encodeCreateAccount(owner)}00` }).traps).toEqual(unknown)
  })

  test('without calls does nothing', () => {
    expect(decode({ ...operation, callData: '0x' })).toMatchObject({ effects: [], traps: [null, null] })
  })

  test.each([
    ['hands the account over', 'function transferOwnership(address owner)', [friend]],
    ['changes its code', 'function upgradeToAndCall(address implementation, bytes data)', [friend, '0x']],
    ['calls what nobody knows', 'function performCreate(uint256 value, bytes code)', [0n, '0x']],
  ])('that %s is administration', (_, signature, args) => {
    const callData = encodeFunctionData({ abi: parseAbi([signature]), args } as never)
    const trap = 'account_admin_not_allowed'
    expect(decode({ ...operation, callData }).traps).toEqual([trap, trap])
    const inner = encodeCalls([{ to: account, value: 0n, data: callData }])
    expect(decode({ ...operation, callData: inner }).traps).toEqual([trap, trap])
  })
})

describe('a hash is only what it was made of', () => {
  test.each<[string, Partial<UserOperation>]>([
    ['call data', { callData: encodeCalls([{ to: friend, value: 0n, data: '0x' }]) }],
    ['nonce', { nonce: 2n }],
    ['price', { maxFeePerGas: 9n }],
    ['gas', { preVerificationGas: 1n }],
  ])('another %s is another operation', (_, change) => {
    expect(decode(operation, stored({ ...operation, ...change })).traps).toEqual(unknown)
  })

  test('nothing stored, another chain, or fields too many are unknown', () => {
    const hash = messageBytes(userOperationHash(operation, 8453), 'hex')
    const bare = { kind: 'user_operation', chain: 'base', hash } as const
    expect(decodeForAgent(bare, 'secp256k1', publicKey).trap).toBe('payload_undecodable')
    expect(decode(operation, stored(operation, 'ethereum')).traps).toEqual(unknown)
    const more = { chain: 'base', operation: { ...userOperationJson(operation), signature: '0x' } }
    expect(decode(operation, more).traps).toEqual(unknown)
    const less = { chain: 'base', operation: { ...userOperationJson(operation), nonce: 'x' } }
    expect(decode(operation, less).traps).toEqual(unknown)
  })

  test("an operation of another chain's hash is unknown", () => {
    const hash = messageBytes(userOperationHash(operation, 1), 'hex')
    const intent = { kind: 'user_operation', chain: 'base', hash } as const
    expect(decodeForAgent(intent, 'secp256k1', publicKey, stored(operation)).trap).toBe('payload_undecodable')
  })

  test("another account's operation is unknown, and the wallet's as an ERC-1271 message too", () => {
    expect(decode({ ...operation, sender: lightAccountAddress(friend) }).traps).toEqual(unknown)
    const message = messageBytes(userOperationHash(operation, 8453), 'hex')
    const intent = { kind: 'message', network: 'evm', chain: 'base', message, smartAccount: true } as const
    expect(decodeForAgent(intent, 'secp256k1', publicKey, stored(operation)).trap).toBe(
      'message_is_transaction',
    )
  })
})
