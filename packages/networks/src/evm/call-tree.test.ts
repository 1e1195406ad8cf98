import fc from 'fast-check'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  parseAbi,
  size,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../intent/message-bytes.ts'
import { chainByHandle } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { decodeCallTree } from './call-tree.ts'
import { entryPoint } from './entry-point.ts'

const chain = chainByHandle('base')
if (!chain) throw new Error('base is a chain')
const own = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const multiSend = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
const none = '0x0000000000000000000000000000000000000000'
const abi = parseAbi([
  'struct Call { address target; bytes data }',
  'struct Call3 { address target; bool allowFailure; bytes data }',
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes data }',
  'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 gasLimits; uint256 preGas; bytes32 fees; bytes paymaster; bytes signature }',
  'function multicall(bytes[] data)',
  'function multicall(uint256 deadline, bytes[] data)',
  'function aggregate(Call[] calls)',
  'function tryAggregate(bool requireSuccess, Call[] calls)',
  'function aggregate3(Call3[] calls)',
  'function aggregate3Value(Call3Value[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function multiSend(bytes transactions)',
  'function execute(bytes32 mode, bytes execution)',
  'function execute(address target, uint256 value, bytes data)',
  'function handleOps(Op[] ops, address beneficiary)',
  'function depositTo(address account)',
  'function withdrawTo(address to, uint256 amount)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function removeOwner(address previous, address owner, uint256 threshold)',
  'function swapOwner(address previous, address owner, address newOwner)',
  'function changeThreshold(uint256 threshold)',
  'function enableModule(address module)',
  'function disableModule(address previous, address module)',
  'function setGuard(address guard)',
  'function setFallbackHandler(address handler)',
  'function installModule(uint256 kind, address module, bytes data)',
  'function uninstallModule(uint256 kind, address module, bytes data)',
])
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] })
const mode = (kind: string) => `0x${kind.padEnd(64, '0')}` as const

const treeOf = (data: Hex, to: string = contract, value = 0n) =>
  decodeCallTree(
    { to: messageBytes(to, 'hex'), value, data: messageBytes(data, 'hex') },
    { chain, address: own },
  )
const safeCall = (to: Hex, data: Hex, operation: number, gasPrice = 0n) =>
  encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, 0n, data, operation, 0n, 0n, gasPrice, none, none, '0x1234'],
  })
const packed = (...calls: readonly (readonly [operation: number, to: Hex, value: bigint, data: Hex])[]) =>
  encodeFunctionData({
    abi,
    functionName: 'multiSend',
    args: [
      concatHex(
        calls.map(([operation, to, value, data]) =>
          encodePacked(
            ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
            [operation, to, value, BigInt(size(data)), data],
          ),
        ),
      ),
    ],
  })
const executions = (calls: readonly { target: Hex; value: bigint; data: Hex }[]) =>
  encodeAbiParameters(
    [
      {
        type: 'tuple[]',
        components: [
          { type: 'address', name: 'target' },
          { type: 'uint256', name: 'value' },
          { type: 'bytes', name: 'data' },
        ],
      },
    ],
    [calls],
  )
const modular = (kind: string, data: Hex) =>
  encodeFunctionData({ abi, functionName: 'execute', args: [mode(kind), data] })
const operation = (sender: Hex, callData: Hex) =>
  ({
    sender,
    nonce: 1n,
    initCode: '0x',
    callData,
    gasLimits: mode('01'),
    preGas: 1n,
    fees: mode('01'),
    paymaster: '0x',
    signature: '0x12',
  }) as const
const handleOps = (...ops: readonly ReturnType<typeof operation>[]) =>
  encodeFunctionData({ abi, functionName: 'handleOps', args: [ops, own] })
const moved = (from: string) => ({ kind: 'transfer', asset: token, amount: 5n, from, to: friend })
const noEffects = 'The effects of this call are unknown.'

describe('calls that calls hand on', () => {
  test('a multicall of a router or a token acts as who calls it', () => {
    const [first, second] = [transfer, '0x12345678'] as const
    for (const data of [
      encodeFunctionData({ abi, functionName: 'multicall', args: [[first, second]] }),
      encodeFunctionData({ abi, functionName: 'multicall', args: [9n, [first, second]] }),
    ]) {
      const { actions, warnings } = treeOf(data, token, 7n)
      expect(actions).toMatchObject([
        { kind: 'transfer', asset: 'ETH', amount: 7n, from: own, to: token },
        { kind: 'call', from: own, to: token, method: 'multicall', args: { calls: '2' } },
        moved(own),
        { kind: 'unknown', from: own, to: token },
      ])
      expect(warnings).toEqual([noEffects])
    }
  })

  test('Multicall3 moves what it holds itself', () => {
    const call = { target: token, data: transfer, allowFailure: true, value: 3n } as const
    for (const data of [
      encodeFunctionData({ abi, functionName: 'aggregate', args: [[call]] }),
      encodeFunctionData({ abi, functionName: 'tryAggregate', args: [true, [call]] }),
      encodeFunctionData({ abi, functionName: 'aggregate3', args: [[call]] }),
    ]) {
      expect(treeOf(data).actions).toMatchObject([{ kind: 'call' }, moved(contract)])
    }
    const paid = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [[call, call]] })
    expect(treeOf(paid).actions).toMatchObject([
      { kind: 'call' },
      { asset: 'ETH', amount: 3n, from: contract, to: token },
      moved(contract),
      { asset: 'ETH', amount: 3n, from: contract },
      moved(contract),
    ])
  })

  test('a Safe acts itself; code of others that runs as the Safe is a takeover', () => {
    expect(treeOf(safeCall(token, transfer, 0))).toMatchObject({
      title: 'Safe transaction',
      actions: [{ kind: 'call', from: own, to: contract }, moved(contract)],
      warnings: [],
    })
    for (const data of [
      safeCall(token, transfer, 1),
      safeCall(token, packed([0, token, 0n, transfer]), 1),
      encodeFunctionData({
        abi,
        functionName: 'execTransactionFromModule',
        args: [token, 0n, transfer, 1],
      }),
    ]) {
      const { actions, warnings } = treeOf(data)
      expect(actions[1]).toMatchObject({ kind: 'admin', from: contract, to: token, method: 'delegatecall' })
      expect(warnings[0]).toContain(`Account takeover: the code of ${token} runs as ${contract}`)
    }
    expect(treeOf(safeCall(token, transfer, 2)).actions).toMatchObject([{ kind: 'unknown' }])
    expect(treeOf(safeCall(token, transfer, 0, 1n)).actions).toMatchObject([{ kind: 'unknown' }])
  })

  test('MultiSend acts as the Safe, and a delegatecall hidden in it is described first', () => {
    const data = packed([0, friend, 2n, '0x'], [0, token, 0n, transfer], [1, token, 0n, '0x12345678'])
    const { actions, warnings } = treeOf(safeCall(multiSend, data, 1))
    expect(actions).toMatchObject([
      { kind: 'call', to: contract },
      { kind: 'call', from: contract, to: multiSend, method: 'multiSend', args: { calls: '3' } },
      { kind: 'transfer', asset: 'ETH', amount: 2n, from: contract, to: friend },
      moved(contract),
      { kind: 'admin', from: contract, to: token, method: 'delegatecall' },
    ])
    expect(warnings[0]).toMatch(/^Account takeover/)
    expect(
      treeOf(safeCall(multiSend, `${data.slice(0, -64)}${'11'.repeat(32)}` as Hex, 1)).actions[1]?.kind,
    ).toBe('unknown')
  })

  test('owners, modules and guards are administration with a warning, from whoever changes them', () => {
    const changes = [
      encodeFunctionData({ abi, functionName: 'addOwnerWithThreshold', args: [friend, 1n] }),
      encodeFunctionData({ abi, functionName: 'removeOwner', args: [own, friend, 1n] }),
      encodeFunctionData({ abi, functionName: 'swapOwner', args: [own, own, friend] }),
      encodeFunctionData({ abi, functionName: 'changeThreshold', args: [1n] }),
      encodeFunctionData({ abi, functionName: 'enableModule', args: [friend] }),
      encodeFunctionData({ abi, functionName: 'disableModule', args: [own, friend] }),
      encodeFunctionData({ abi, functionName: 'setGuard', args: [friend] }),
      encodeFunctionData({ abi, functionName: 'setFallbackHandler', args: [friend] }),
      encodeFunctionData({ abi, functionName: 'installModule', args: [1n, friend, '0x12'] }),
      encodeFunctionData({ abi, functionName: 'uninstallModule', args: [1n, friend, '0x'] }),
    ]
    for (const change of changes) {
      const { actions, warnings } = treeOf(safeCall(contract, change, 0))
      expect(actions).toMatchObject([{ kind: 'call' }, { kind: 'admin', from: contract, to: contract }])
      expect(warnings).toEqual([expect.stringMatching(/^Account takeover: /)])
    }
    expect(treeOf(changes[0] ?? '0x').warnings).toEqual([
      `Account takeover: add an owner of ${contract}: owner ${friend}, threshold 1.`,
    ])
  })

  test('a modular account (ERC-7579) makes one call, several, or runs the code of others', () => {
    const single = modular('00', encodePacked(['address', 'uint256', 'bytes'], [token, 4n, transfer]))
    const paid = { kind: 'transfer', asset: 'ETH', amount: 4n, from: contract, to: token }
    expect(treeOf(single).actions).toMatchObject([{ kind: 'call' }, paid, moved(contract)])
    const calls = [{ target: token, value: 4n, data: transfer } as const]
    const batch = modular('0101', executions([...calls, ...calls]))
    expect(treeOf(batch).actions).toMatchObject([{}, paid, moved(contract), paid, moved(contract)])
    const foreign = modular('ff', encodePacked(['address', 'bytes'], [token, transfer]))
    expect(treeOf(foreign).actions[1]).toMatchObject({ kind: 'admin', from: contract, to: token })
    expect(treeOf(foreign).warnings[0]).toMatch(/^Account takeover/)
    for (const data of [
      modular('02', executions(calls)),
      modular('0102', executions(calls)),
      modular('01000000000078210001', executions(calls)),
      modular('01', `${executions(calls)}00`),
      modular('00', '0x1234'),
    ]) {
      expect(treeOf(data)).toMatchObject({ actions: [{ kind: 'unknown' }], warnings: [noEffects] })
    }
  })

  test('operations at the EntryPoint act as their senders; any other instruction to an account is unknown', () => {
    const execute = encodeFunctionData({ abi, functionName: 'execute', args: [token, 0n, transfer] })
    const data = handleOps(operation(contract, execute), operation(friend, transfer))
    const { actions, warnings } = treeOf(data, entryPoint)
    expect(actions).toMatchObject([
      { kind: 'call', to: entryPoint, method: 'handleOps', args: { calls: '2' } },
      { kind: 'call', from: entryPoint, to: contract, method: 'execute' },
      moved(contract),
      { kind: 'unknown', from: entryPoint, to: friend },
    ])
    expect(warnings).toEqual([noEffects])
    expect(treeOf(data, contract).actions).toMatchObject([{ kind: 'unknown' }])
  })

  test('deposits for gas are paid in with what goes along, and taken back as a transfer', () => {
    const deposit = encodeFunctionData({ abi, functionName: 'depositTo', args: [friend] })
    expect(treeOf(deposit, entryPoint, 6n).actions).toMatchObject([
      { kind: 'transfer', asset: 'ETH', amount: 6n, to: entryPoint },
      { kind: 'call', to: entryPoint, method: 'depositTo', args: { account: friend } },
    ])
    const back = encodeFunctionData({ abi, functionName: 'withdrawTo', args: [friend, 6n] })
    expect(treeOf(back, entryPoint).actions).toMatchObject([
      { kind: 'transfer', amount: 6n, from: own, to: friend },
    ])
    expect(treeOf(safeCall(entryPoint, back, 0)).actions[1]).toMatchObject({ from: contract, to: friend })
    expect(treeOf(deposit).actions).toMatchObject([{ kind: 'unknown' }])
  })

  test('bytes too many, offsets elsewhere and values out of range are unknown, never an error', () => {
    const call = { target: token, data: transfer, allowFailure: true } as const
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [[call, call]] })
    const bent = (at: number, byte: string) =>
      `${data.slice(0, at)}${byte}${data.slice(at + byte.length)}` as Hex
    const head = 2 + 8
    for (const bad of [
      `${data}00` as Hex,
      data.slice(0, -2) as Hex,
      bent(head + 62, '40'),
      bent(head + 64 + 56, 'ffffffff'),
      bent(head + 64 + 62, '03'),
      bent(head + 128 + 62, '60'),
      bent(head + 256, '01'),
    ]) {
      expect(bad).not.toBe(data)
      expect(treeOf(bad)).toMatchObject({ actions: [{ kind: 'unknown' }], warnings: [noEffects] })
    }
  })

  test('a call nested deeper than 3 is unknown, and a delegatecall there a takeover or unknown', () => {
    const nest = (levels: number, data: Hex): Hex =>
      levels === 0
        ? data
        : nest(levels - 1, encodeFunctionData({ abi, functionName: 'multicall', args: [[data]] }))
    expect(treeOf(nest(3, transfer), token).actions.at(-1)).toMatchObject(moved(own))
    const deep = treeOf(nest(4, transfer), token)
    expect(deep.actions.map(({ kind }) => kind)).toEqual(['call', 'call', 'call', 'unknown'])
    expect(deep.warnings).toEqual([noEffects])
    expect(treeOf(nest(2, safeCall(token, '0x', 1)), contract).actions.at(-1)?.kind).toBe('admin')
    expect(treeOf(nest(3, safeCall(token, '0x', 1)), contract).actions.at(-1)?.kind).toBe('unknown')
  })

  test('a batch of more than 64 calls, or calls beyond 256 in all, are unknown', () => {
    const many = (count: number, data: Hex) =>
      encodeFunctionData({
        abi,
        functionName: 'multicall',
        args: [Array.from({ length: count }, () => data)],
      })
    expect(treeOf(many(64, transfer), token).actions).toHaveLength(65)
    expect(treeOf(many(65, transfer), token).actions).toMatchObject([{ kind: 'unknown' }])
    const bomb = treeOf(many(64, many(64, transfer)), token)
    expect(bomb.actions.length).toBeLessThanOrEqual(256)
    expect(bomb.actions.at(-1)?.kind).toBe('unknown')
    expect(bomb.warnings).toContain(noEffects)
  })

  test('2,000 mutated batches have a preview with at least one action', () => {
    const execute = encodeFunctionData({ abi, functionName: 'execute', args: [token, 0n, transfer] })
    const call = { target: token, data: transfer, allowFailure: true, value: 3n } as const
    const batches = [
      encodeFunctionData({ abi, functionName: 'multicall', args: [[transfer, transfer]] }),
      encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [[call, call]] }),
      safeCall(multiSend, packed([0, token, 0n, transfer], [1, friend, 0n, '0x1234']), 1),
      modular('01', executions([call])),
      handleOps(operation(contract, execute)),
    ].map((data) => messageBytes(data, 'hex'))
    const random = mutated(fc.constantFrom(...batches))
    const to = messageBytes(entryPoint, 'hex')
    fc.assert(
      fc.property(random, (data) => {
        const { actions } = decodeCallTree({ to, value: 0n, data }, { chain, address: own })
        expect(actions.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000, seed: 4 },
    )
  })
})
