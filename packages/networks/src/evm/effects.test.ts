import {
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  parseAbi,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../intent/message-bytes.ts'
import { preview, walletAddresses } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'

const { publicKey } = testKey('secp256k1', 0)
const own = walletAddresses('secp256k1', publicKey)['evm'] ?? ''
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const extra = parseAbi([
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferOwnership(address newOwner)',
  'function upgradeToAndCall(address implementation, bytes data)',
])
const fees = { chainId: 8453, nonce: 0, gas: 100_000n, maxFeePerGas: 10n ** 9n, type: 'eip1559' } as const

function previewOf(transaction: Partial<TransactionSerializable>) {
  const serialized = serializeTransaction({ ...fees, to: token, ...transaction } as TransactionSerializable)
  const bytes = messageBytes(serialized, 'hex')
  return preview({ kind: 'transaction', network: 'evm', chain: 'base', bytes }, 'secp256k1', publicKey)
}

describe('preview of a transaction', () => {
  test('a native transfer shows amount, recipient and the fee in the worst case', () => {
    expect(previewOf({ to: friend, value: 15n * 10n ** 17n })).toEqual({
      title: 'Send 1.5 ETH',
      chain: 'base',
      from: own,
      actions: [
        {
          kind: 'transfer',
          to: friend,
          asset: 'ETH',
          amount: '1500000000000000000',
          amount_display: '1.5 ETH',
          method: null,
          args: null,
        },
      ],
      fee: { asset: 'ETH', amount: '100000000000000' },
      warnings: [],
      expires_at: null,
    })
  })

  test('a fee above a tenth of what is sent is a warning, a tenth is not', () => {
    expect(previewOf({ to: friend, value: 10n ** 15n }).warnings).toEqual([])
    expect(previewOf({ to: friend, value: 10n ** 15n - 1n }).warnings).toEqual([
      'The fee can reach 0.0001 ETH, above 10% of what is sent.',
    ])
  })

  test('ERC-20 transfers and approvals show the decoded recipient, not the contract', () => {
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] })
    expect(previewOf({ data: transfer })).toMatchObject({
      title: 'Transfer token',
      actions: [{ kind: 'transfer', to: friend, asset: token, amount: '5', method: 'transfer' }],
      warnings: [],
    })
    const from = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [friend, token, 6n],
    })
    expect(previewOf({ data: from }).actions).toMatchObject([
      { kind: 'transfer', to: token, amount: '6', args: { from: friend, to: token, amount: '6' } },
    ])
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, 7n] })
    expect(previewOf({ data: approve })).toMatchObject({
      actions: [
        { kind: 'approval', to: friend, asset: token, amount: '7', amount_display: '7 smallest units' },
      ],
      warnings: [],
    })
    const raise = encodeFunctionData({ abi: extra, functionName: 'increaseAllowance', args: [friend, 8n] })
    expect(previewOf({ data: raise }).actions).toMatchObject([{ kind: 'approval', amount: '8' }])
  })

  test('an unlimited approval is a warning', () => {
    for (const amount of [2n ** 256n - 1n, 2n ** 128n]) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [friend, amount] })
      const { actions, warnings } = previewOf({ data })
      expect(actions).toMatchObject([{ kind: 'approval', amount_display: 'unlimited' }])
      expect(warnings).toEqual([`Unlimited approval: ${friend} may spend all of ${token}.`])
    }
    const all = encodeFunctionData({ abi: extra, functionName: 'setApprovalForAll', args: [friend, true] })
    expect(previewOf({ data: all })).toMatchObject({ actions: [{ kind: 'approval', amount: null }] })
    expect(previewOf({ data: all }).warnings).toHaveLength(2)
    const none = encodeFunctionData({ abi: extra, functionName: 'setApprovalForAll', args: [friend, false] })
    expect(previewOf({ data: none })).toMatchObject({
      title: 'Revoke NFT approval',
      actions: [{ kind: 'approval', amount: '0' }],
      warnings: [],
    })
  })

  test('NFT transfers show item and amount', () => {
    const args = [friend, token, 9n, '0xabcd'] as const
    const item = encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args })
    expect(previewOf({ data: item }).actions).toMatchObject([
      { kind: 'transfer', to: token, amount: '1', args: { token_id: '9' } },
    ])
    const multi = encodeFunctionData({
      abi: extra,
      functionName: 'safeBatchTransferFrom',
      args: [friend, token, [1n, 2n], [10n, 20n], '0x'],
    })
    expect(previewOf({ data: multi }).actions).toMatchObject([{ amount: '10' }, { amount: '20' }])
    const single = encodeFunctionData({
      abi: extra,
      functionName: 'safeTransferFrom',
      args: [friend, token, 3n, 4n, '0x01'],
    })
    expect(previewOf({ data: single }).actions).toMatchObject([{ amount: '4', args: { token_id: '3' } }])
  })

  test('a batch that a person could not read, or of unequal lists, is unknown', () => {
    const batch = (ids: number, amounts: number) =>
      encodeFunctionData({
        abi: extra,
        functionName: 'safeBatchTransferFrom',
        args: [
          friend,
          token,
          Array.from({ length: ids }, () => 1n),
          Array.from({ length: amounts }, () => 1n),
          '0x',
        ],
      })
    expect(previewOf({ data: batch(50, 50) }).actions).toHaveLength(50)
    for (const data of [batch(51, 51), batch(2, 1), batch(1, 2)]) {
      expect(previewOf({ data }).actions).toMatchObject([{ kind: 'unknown' }])
    }
  })

  test('a permit, a Permit2 approval and owner calls are what they are', () => {
    const word = `0x${'11'.repeat(32)}` as const
    const permit = encodeFunctionData({
      abi: extra,
      functionName: 'permit',
      args: [friend, token, 3n, 4n, 27, word, word],
    })
    expect(previewOf({ data: permit }).actions).toMatchObject([{ kind: 'approval', to: token, amount: '3' }])
    const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
    const approve = encodeFunctionData({ abi: extra, functionName: 'approve', args: [token, friend, 3n, 9] })
    expect(previewOf({ to: permit2, data: approve }).actions).toMatchObject([
      { kind: 'approval', asset: token, to: friend, amount: '3', args: { expiration: '9' } },
    ])
    for (const data of [
      encodeFunctionData({ abi: extra, functionName: 'transferOwnership', args: [friend] }),
      encodeFunctionData({ abi: extra, functionName: 'upgradeToAndCall', args: [friend, '0x0102'] }),
    ]) {
      const { actions, warnings } = previewOf({ data })
      expect(actions).toMatchObject([{ kind: 'admin', to: token }])
      expect(warnings).toHaveLength(1)
    }
  })

  test('value sent along with a call is an action of its own', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] })
    expect(previewOf({ data, value: 10n ** 18n }).actions).toMatchObject([
      { kind: 'transfer', asset: 'ETH', to: token },
      { kind: 'transfer', asset: token, to: friend },
    ])
  })

  test('unknown calls, known selectors with other arguments and contract creation are warned of', () => {
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] })
    const dirty = `${transfer.slice(0, 10)}01${transfer.slice(12)}` as const
    for (const data of ['0x12345678', '0x12', `${transfer}00`, transfer.slice(0, -2), dirty]) {
      const { actions, warnings } = previewOf({ data: data as `0x${string}` })
      expect(actions).toMatchObject([{ kind: 'unknown', to: token }])
      expect(warnings).toEqual(['The effects of this call are unknown.'])
    }
    const creation = previewOf({ to: undefined, data: '0x6000', value: 1n })
    expect(creation.actions).toMatchObject([
      { kind: 'transfer', to: null },
      { kind: 'call', to: null },
    ])
    expect(creation.warnings).toContain('This creates a contract.')
  })
})
