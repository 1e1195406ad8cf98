import {
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../../intent/message-bytes.ts'
import { chainAddress, chainByHandle, decodeForAgent } from '../../testing/by-intent.ts'
import { testKey } from '../../testing/oracle-signer.ts'
import { ownAccounts } from './own-accounts.ts'

const { publicKey } = testKey('secp256k1', 1)
const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')
const own = ownAccounts({ chain: base, address: chainAddress(base, publicKey), addresses: {} })
const account = own.account as Hex
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const multiSend = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
const abi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch(address[] to, uint256[] value, bytes[] data)',
  'function execute(bytes32 mode, bytes calls)',
  'function multicall(bytes[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes data)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
  'function withdrawTo(address to, uint256 amount)',
  'function withdrawDepositTo(address to, uint256 amount)',
  'function transferOwnership(address owner)',
  'function upgradeToAndCall(address implementation, bytes data)',
  'function addDeposit()',
])
const transfer = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, amount] })
const execute = (to: Hex, value: bigint, data: Hex) =>
  encodeFunctionData({ abi, functionName: 'execute', args: [to, value, data] })

function decode(transaction: Partial<TransactionSerializable>) {
  const fees = { chainId: 8453, nonce: 0, gas: 100_000n, maxFeePerGas: 10n ** 9n, type: 'eip1559' }
  const bytes = messageBytes(
    serializeTransaction({ ...fees, ...transaction } as TransactionSerializable),
    'hex',
  )
  return decodeForAgent({ kind: 'transaction', network: 'evm', chain: 'base', bytes }, 'secp256k1', publicKey)
}

/** `kind asset-or-contract amount to`, as short as it goes. */
function shown(transaction: Partial<TransactionSerializable>): string[] {
  const { effects, trap } = decode(transaction)
  const lines = effects.map(
    ({ kind, asset, contract: called, selector, amount, to }) =>
      `${kind} ${asset ?? `${called}.${selector}`} ${amount} ${to}`,
  )
  return trap === null ? lines : [...lines, `trap ${trap}`]
}

describe('calls as a policy sees them', () => {
  test('a bare transfer is one native effect, with the worst fee', () => {
    expect(decode({ to: friend, value: 7n })).toMatchObject({
      effects: [{ kind: 'transfer', asset: 'ETH', isNative: true, amount: 7n, from: own.key, to: friend }],
      fee: 10n ** 14n,
      trap: null,
      chains: ['base'],
    })
  })

  test('a token transfer names the decoded recipient, and value that goes along counts', () => {
    expect(shown({ to: token, value: 3n, data: transfer(5n) })).toEqual([
      `transfer ETH 3 ${token}`,
      `transfer ${token} 5 ${friend}`,
    ])
    expect(decode({ to: token, data: transfer(5n) }).effects).toMatchObject([{ isNative: false }])
  })

  test('transferFrom of an item counts at least one, since an id is not an amount', () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [account, friend, 0n],
    })
    expect(shown({ to: token, data })).toEqual([`transfer ${token} 1 ${friend}`])
  })

  test.each([maxUint256, 2n ** 160n - 1n, 2n ** 128n, 2n ** 96n - 1n])(
    'an approval of %d is unlimited',
    (amount) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, amount] })
      expect(shown({ to: token, data })).toEqual([
        `approval ${token} null ${friend}`,
        'trap approval_not_allowed',
      ])
    },
  )

  test('a known method in another encoding than its own is refused, not taken for an unknown call', () => {
    expect(shown({ to: token, data: `${transfer(5n)}00` })).toEqual(['trap payload_undecodable'])
    expect(shown({ to: account, data: `${execute(friend, 1n, '0x')}00` })).toEqual([
      `admin ${account}.0xb61d27f6 null ${account}`,
      'trap account_admin_not_allowed',
    ])
    expect(shown({ to: contract, data: `${execute(friend, 1n, '0x')}00` })).toEqual([
      'trap payload_undecodable',
    ])
    const withdraw = encodeFunctionData({ abi, functionName: 'withdrawTo', args: [friend, 5n] })
    expect(shown({ to: entryPoint, data: `${withdraw}00` }).at(-1)).toBe('trap payload_undecodable')
  })

  test('an unknown call is a contract and a selector, with less than four bytes no selector', () => {
    expect(shown({ to: contract, data: '0x12345678' })).toEqual([
      `unknown ${contract}.0x12345678 null ${contract}`,
    ])
    expect(shown({ to: contract, data: '0x1234' })).toEqual([`unknown ${contract}.null null ${contract}`])
  })
})

describe('wrappers', () => {
  test("the wallet's own smart account hands on without being a call, and value counts once", () => {
    expect(shown({ to: account, value: 9n, data: execute(friend, 4n, '0x') })).toEqual([
      `transfer ETH 5 ${account}`,
      `transfer ETH 4 ${friend}`,
    ])
    expect(shown({ to: account, data: execute(token, 0n, transfer(6n)) })).toEqual([
      `transfer ${token} 6 ${friend}`,
    ])
  })

  test('money of the account itself counts beside that of the key', () => {
    expect(shown({ to: account, value: 1n, data: execute(friend, 4n, '0x') })).toEqual([
      `transfer ETH 4 ${friend}`,
    ])
  })

  test('any other wrapper is a call that has to be allowed, and what it hands on is evaluated too', () => {
    const calls = [
      { target: friend, allowFailure: false, value: 2n, data: '0x' },
      { target: token, allowFailure: true, value: 0n, data: transfer(5n) },
    ] as const
    const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] })
    expect(shown({ to: multicall3, value: 3n, data })).toEqual([
      `transfer ETH 1 ${multicall3}`,
      `call ${multicall3}.0x174dea71 null ${multicall3}`,
      `transfer ETH 2 ${friend}`,
      `transfer ${token} 5 ${friend}`,
    ])
    const several = encodeFunctionData({ abi, functionName: 'multicall', args: [[transfer(5n)]] })
    expect(shown({ to: token, data: several })).toEqual([
      `call ${token}.0xac9650d8 null ${token}`,
      `transfer ${token} 5 ${friend}`,
    ])
  })

  test('four wrappers are taken apart, a fifth is refused', () => {
    const nested = (depth: number): Hex =>
      depth === 0 ? transfer(5n) : execute(depth === 1 ? token : contract, 0n, nested(depth - 1))
    expect(shown({ to: contract, data: nested(4) }).at(-1)).toBe(`transfer ${token} 5 ${friend}`)
    expect(shown({ to: contract, data: nested(5) }).at(-1)).toBe('trap payload_undecodable')
  })

  test('too many calls are refused', () => {
    const calls = Array.from({ length: 65 }, () => transfer(1n))
    const data = encodeFunctionData({ abi, functionName: 'multicall', args: [calls] })
    expect(shown({ to: token, data }).at(-1)).toBe('trap payload_undecodable')
  })

  test('a Safe runs foreign code only by the MultiSend it is made for, and pays nobody for gas', () => {
    const zero = `0x${'00'.repeat(20)}` as const
    const exec = (to: Hex, data: Hex, operation: number, gasPrice = 0n) =>
      encodeFunctionData({
        abi,
        functionName: 'execTransaction',
        args: [to, 0n, data, operation, 0n, 0n, gasPrice, zero, zero, '0x'],
      })
    const packed = encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, token, 0n, 68n, transfer(5n)],
    )
    const several = encodeFunctionData({ abi, functionName: 'multiSend', args: [packed] })
    expect(shown({ to: contract, data: exec(multiSend, several, 1) })).toEqual([
      `call ${contract}.0x6a761202 null ${contract}`,
      `transfer ${token} 5 ${friend}`,
    ])
    expect(shown({ to: contract, data: exec(friend, several, 1) }).at(-1)).toBe(
      'trap account_admin_not_allowed',
    )
    expect(shown({ to: contract, data: exec(token, transfer(5n), 0, 1n) }).at(-1)).toBe(
      'trap payload_undecodable',
    )
    const owner = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [friend] })
    expect(shown({ to: contract, data: exec(contract, owner, 0) }).at(-1)).toBe(
      'trap account_admin_not_allowed',
    )
    expect(shown({ to: contract, data: exec(contract, '0x12345678', 0) }).at(-1)).toBe(
      'trap account_admin_not_allowed',
    )
  })
})

describe("the wallet's own accounts", () => {
  test.each([
    encodeFunctionData({ abi, functionName: 'transferOwnership', args: [friend] }),
    encodeFunctionData({ abi, functionName: 'upgradeToAndCall', args: [friend, '0x'] }),
    encodeFunctionData({ abi, functionName: 'addDeposit' }),
    encodeFunctionData({ abi, functionName: 'withdrawDepositTo', args: [friend, 5n] }),
    '0x12345678' as const,
  ])('any other method of the account counts as administration: %s', (data) => {
    for (const to of [account, own.key as Hex]) {
      expect(shown({ to, data }).at(-1)).toBe('trap account_admin_not_allowed')
    }
    const inner = execute(account, 0n, data)
    expect(shown({ to: account, data: inner }).at(-1)).toBe('trap account_admin_not_allowed')
  })

  test('the account cannot run what the key may have handed itself over to', () => {
    const inner = execute(friend, 1n, '0x')
    expect(shown({ to: account, data: execute(own.key as Hex, 0n, inner) }).at(-1)).toBe(
      'trap account_admin_not_allowed',
    )
    expect(shown({ to: own.key as Hex, data: inner }).at(-1)).toBe('trap account_admin_not_allowed')
  })

  test("nobody's contract is handed over or upgraded", () => {
    const data = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [friend] })
    expect(shown({ to: contract, data })).toEqual([
      `admin null.null null ${contract}`,
      'trap account_admin_not_allowed',
    ])
  })

  test('a deposit for gas that is taken back leaves the wallet', () => {
    const direct = encodeFunctionData({ abi, functionName: 'withdrawTo', args: [friend, 5n] })
    expect(shown({ to: entryPoint, data: direct })).toEqual([
      `transfer ETH 5 ${friend}`,
      `call ${entryPoint}.0x205c2878 null ${entryPoint}`,
    ])
  })

  test('contracts are never created, not even by a deployer', () => {
    expect(shown({ value: 1n, data: '0x6000' })).toEqual([
      'transfer ETH 1 null',
      'trap contract_creation_not_allowed',
    ])
    const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
    expect(shown({ to: deployer, data: `0x${'00'.repeat(40)}` })).toEqual([
      'trap contract_creation_not_allowed',
    ])
  })
})
