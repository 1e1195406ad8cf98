import { encodeFunctionData, erc20Abi, erc721Abi, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Chain } from '../chain.ts'
import type { Hex } from '../codec/hex.ts'
import { chainByHandle, chains } from '../testing/by-intent.ts'
import { type EvmCall, encodeCalls } from './account-calls.ts'
import { entryPoint } from './entry-point.ts'
import { type CallsScope, previewCalls } from './preview-calls.ts'

const account = '0x1eCBebd01B398F87d75aB93D853E340192D402Ac'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const base = (chainByHandle('base') ?? chains[0]) as Chain
const scope: CallsScope = {
  chain: base,
  from: account,
  fee: 10n ** 14n,
  expiresAt: '2026-01-01T00:00:00.000Z',
  isSponsored: true,
}
const abi = parseAbi([
  'function transferOwnership(address newOwner)',
  'function upgradeToAndCall(address implementation, bytes data)',
  'function withdrawDepositTo(address to, uint256 amount)',
  'function withdrawTo(address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function executeBatch(address[] to, bytes[] data)',
  'function addOwner(address owner)',
])
const maxUint = 2n ** 256n - 1n
const pay: EvmCall = { to: friend, value: 10n ** 18n, data: '0x' }
const call = (to: Hex, data: Hex, value = 0n): EvmCall => ({ to, value, data })
const transfer = call(
  token,
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] }),
)
const approve = (amount: bigint, spender: Hex = friend) =>
  call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }))
const handOver = call(account, encodeFunctionData({ abi, functionName: 'transferOwnership', args: [friend] }))
const itself = (calls: readonly EvmCall[]) => call(account, encodeCalls(calls))

describe('preview of an operation', () => {
  test('one call has its own title, the account is who acts and the fee is the worst case', () => {
    expect(previewCalls([pay], scope)).toEqual({
      title: 'Send 1 ETH',
      chain: 'base',
      from: account,
      actions: [
        {
          kind: 'transfer',
          to: friend,
          asset: 'ETH',
          amount: '1000000000000000000',
          amount_display: '1 ETH',
          method: null,
          args: null,
        },
      ],
      fee: { asset: 'ETH', amount: '100000000000000' },
      warnings: [],
      expires_at: '2026-01-01T00:00:00.000Z',
    })
  })

  test('several calls are described in their order, with the warnings of each once', () => {
    const { title, actions, warnings } = previewCalls(
      [approve(maxUint), transfer, pay, approve(maxUint)],
      scope,
    )
    expect(title).toBe('4 calls: Approve token spending, Transfer token, Send 1 ETH, …')
    expect(actions.map(({ kind, to, asset, amount }) => [kind, to, asset, amount])).toEqual([
      ['approval', friend, token, maxUint.toString()],
      ['transfer', friend, token, '5'],
      ['transfer', friend, 'ETH', '1000000000000000000'],
      ['approval', friend, token, maxUint.toString()],
    ])
    expect(warnings).toEqual([`Unlimited approval: ${friend} may spend all of ${token}.`])
    expect(previewCalls([pay, transfer], scope).title).toBe('2 calls: Send 1 ETH, Transfer token')
  })

  test('items of ERC-721 and ERC-1155 are transfers, unknown calls a warning', () => {
    const item = encodeFunctionData({
      abi: erc721Abi,
      functionName: 'safeTransferFrom',
      args: [account, friend, 9n],
    })
    const items = encodeFunctionData({
      abi,
      functionName: 'safeTransferFrom',
      args: [account, friend, 9n, 3n, '0x'],
    })
    const answer = previewCalls([call(token, item), call(token, items), call(token, '0xdeadbeef', 2n)], scope)
    expect(answer.actions).toMatchObject([
      { kind: 'transfer', amount: '1', args: { token_id: '9' } },
      { kind: 'transfer', amount: '3', args: { token_id: '9' } },
      { kind: 'transfer', asset: 'ETH', amount: '2', to: token },
      { kind: 'unknown', to: token, method: '0xdeadbeef' },
    ])
    expect(answer.warnings).toEqual(['The effects of this call are unknown.'])
  })

  test('a fee above a tenth of what is sent is a warning where the account pays it', () => {
    const small = { ...pay, value: 10n ** 15n - 1n }
    expect(previewCalls([small], scope).warnings).toEqual([])
    const own = { ...scope, isSponsored: false }
    expect(previewCalls([small], own).warnings).toEqual([
      'The fee can reach 0.0001 ETH, above 10% of what is sent.',
    ])
    expect(previewCalls([{ ...pay, value: 10n ** 15n }], own).warnings).toEqual([])
    const { isSponsored: _, ...unsaid } = scope
    expect(previewCalls([small], unsaid).warnings).toHaveLength(1)
    expect(previewCalls([transfer], own).warnings).toEqual([])
  })

  test.each([
    ['handing the account over', handOver, friend],
    [
      'changing its code',
      call(account, encodeFunctionData({ abi, functionName: 'upgradeToAndCall', args: [token, '0x12'] })),
      token,
    ],
    [
      'a method of it that is not known',
      call(account, encodeFunctionData({ abi, functionName: 'addOwner', args: [friend] })),
      account,
    ],
    ['arguments in another encoding', call(account, `${handOver.data}00`), account],
    ['less than a selector', call(account, '0x12'), account],
  ])('%s is administration with a takeover warning', (_, takeover, to) => {
    const { actions, warnings } = previewCalls([takeover], scope)
    expect(actions).toMatchObject([{ kind: 'admin', to }])
    expect(warnings).toMatchObject([expect.stringMatching(/^Account takeover: /)])
  })

  test('a takeover is described first, however many other warnings there are', () => {
    const approvals = Array.from({ length: 70 }, (_, index) =>
      approve(maxUint, `0x${(index + 1).toString(16).padStart(40, '0')}`),
    )
    const { warnings } = previewCalls([...approvals, handOver], scope)
    expect(warnings).toHaveLength(64)
    expect(warnings[0]).toBe(
      `Account takeover: ${friend} becomes the owner of this account and all it holds.`,
    )
    expect(warnings[63]).toBe('8 further warnings are not shown.')
  })

  test('a batch that the account hands to itself is taken apart, within another batch too', () => {
    const expected = previewCalls([transfer, pay, handOver], scope)
    expect(previewCalls([itself([transfer, pay, handOver])], scope)).toEqual(expected)
    expect(previewCalls([transfer, itself([pay, itself([handOver])])], scope)).toEqual(expected)
    const short = encodeFunctionData({
      abi,
      functionName: 'executeBatch',
      args: [
        [token, account],
        [transfer.data, handOver.data],
      ],
    })
    expect(previewCalls([call(account, short)], scope)).toEqual(previewCalls([transfer, handOver], scope))
  })

  test('a payment of the account to itself along with a batch is shown', () => {
    const { actions } = previewCalls([{ ...itself([transfer]), value: 3n }], scope)
    expect(actions).toMatchObject([
      { kind: 'transfer', asset: 'ETH', amount: '3', to: account },
      { kind: 'transfer', asset: token },
    ])
    expect(previewCalls([{ ...pay, to: account }], scope).title).toBe('Send 1 ETH')
  })

  test('a batch that is not its own encoding, too deep or too long counts as an unknown change', () => {
    const batch = itself([transfer, handOver])
    const bent = call(account, `0x${batch.data.slice(2, -2)}01`)
    // The two elements of its last list are where each other should be.
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const pair = itself([approve(1n), approve(2n)])
    const exchanged = pair.data.replace(word(0x40) + word(0xc0), word(0xc0) + word(0x40)) as Hex
    expect(exchanged).not.toBe(pair.data)
    const deep = [1, 2, 3, 4].reduce((inner) => itself([inner]), handOver)
    const long = itself(Array.from({ length: 65 }, () => transfer))
    for (const unknown of [bent, call(account, exchanged), deep, long]) {
      expect(previewCalls([unknown], scope)).toMatchObject({
        actions: [{ kind: 'admin', to: account }],
        warnings: [expect.stringMatching(/^Account takeover: /)],
      })
    }
  })

  test('taking back the deposit for gas is a transfer', () => {
    const own = encodeFunctionData({ abi, functionName: 'withdrawDepositTo', args: [friend, 7n] })
    const direct = encodeFunctionData({ abi, functionName: 'withdrawTo', args: [friend, 8n] })
    expect(previewCalls([call(account, own), call(entryPoint, direct)], scope)).toMatchObject({
      title: '2 calls: Withdraw the gas deposit, Withdraw the gas deposit',
      actions: [
        { kind: 'transfer', asset: 'ETH', amount: '7', to: friend, method: 'withdrawDepositTo' },
        { kind: 'transfer', asset: 'ETH', amount: '8', to: friend, method: 'withdrawTo' },
      ],
      warnings: [],
    })
    expect(previewCalls([call(entryPoint, '0xdeadbeef')], scope).actions).toMatchObject([
      { kind: 'unknown', to: entryPoint },
    ])
  })

  test('no preview is longer than the wire takes, and it says what it leaves out', () => {
    const ids = Array.from({ length: 50 }, (_, index) => BigInt(index))
    const batch = encodeFunctionData({
      abi,
      functionName: 'safeBatchTransferFrom',
      args: [account, friend, ids, ids, '0x'],
    })
    const calls = Array.from({ length: 64 }, () => call(token, batch))
    const { actions, warnings, title } = previewCalls(calls, scope)
    expect(actions).toHaveLength(256)
    expect(actions[255]).toMatchObject({ kind: 'unknown', to: null })
    expect(warnings).toEqual(['2945 further actions are not shown.'])
    expect(title).toBe('64 calls: Transfer NFTs, Transfer NFTs, Transfer NFTs, …')
  })

  test('malformed calls are refused', () => {
    for (const bad of [
      { ...pay, to: '0x12' },
      { ...pay, data: '0x1' },
      { ...pay, value: -1n },
    ]) {
      expect(() => previewCalls([bad as EvmCall], scope)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      )
    }
  })
})
