import { encodePacked, type Hex } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  account,
  call,
  callCases,
  calling,
  careful,
  contract,
  entryPoint,
  execute,
  friend,
  multicall3,
  nativeSpend,
  once,
  thief,
  token,
  tokenSpend,
  transfer,
  trusting,
  wallet,
} from './evm-payloads.ts'

const nested = (depth: number, inner: Hex): Hex =>
  depth === 0 ? inner : execute(depth === 1 ? token : contract, 0n, nested(depth - 1, inner))
const aggregate = (calls: readonly (readonly [to: Hex, value: bigint, data: Hex])[]) =>
  call(
    'aggregate3Value((address target,bool allowFailure,uint256 value,bytes data)[])',
    calls.map(([target, value, data]) => ({ target, allowFailure: false, value, data })),
  )
const single = `0x${'00'.repeat(32)}` as const
const several = `0x01${'00'.repeat(31)}` as const
const delegating = `0xff${'00'.repeat(31)}` as const
const executions = (to: Hex, value: bigint, data: Hex): Hex =>
  `0x${call('f((address target,uint256 value,bytes data)[])', [{ target: to, value, data }]).slice(10)}`
const batchOf = (to: Hex, value: bigint, data: Hex) =>
  call('executeBatch((address target,uint256 value,bytes data)[])', [{ target: to, value, data }])
const modular = (mode: Hex, data: Hex) => call('execute(bytes32,bytes)', mode, data)
const one = (to: Hex, value: bigint, data: Hex) =>
  encodePacked(['address', 'uint256', 'bytes'], [to, value, data])

const wrappers = callCases('wrappers', [
  [
    'a foreign contract hands on',
    contract,
    execute(token, 0n, transfer(friend, 5n)),
    'contract_call_not_allowed',
  ],
  [
    'an allowed contract hands on',
    contract,
    execute(token, 0n, transfer(friend, 5n)),
    'allowed',
    trusting(contract),
    { spends: { ...tokenSpend(5n), ...once } },
  ],
  [
    'an allowed contract hands on to a stranger',
    contract,
    execute(token, 0n, transfer(thief, 5n)),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'an allowed account runs a batch of tuples, to a stranger',
    contract,
    batchOf(token, 0n, transfer(thief, 5n)),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'an allowed account runs a batch of tuples',
    contract,
    batchOf(token, 0n, transfer(friend, 5n)),
    'allowed',
    trusting(contract),
    { spends: { ...tokenSpend(5n), ...once } },
  ],
  [
    'four deep within everything',
    contract,
    nested(4, transfer(friend, 5n)),
    'allowed',
    trusting(contract),
    { spends: { ...tokenSpend(5n), ...once } },
  ],
  [
    'four deep to a stranger',
    contract,
    nested(4, transfer(thief, 5n)),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'four deep above the cap',
    contract,
    nested(4, transfer(friend, 500n)),
    'token_cap_exceeded',
    trusting(contract),
  ],
  ['five deep', contract, nested(5, transfer(friend, 5n)), 'payload_undecodable', trusting(contract)],
  ['fifty deep', contract, nested(50, transfer(thief, 5n)), 'payload_undecodable', calling(contract)],
  [
    'Multicall3 is a call',
    multicall3,
    aggregate([[friend, 2n, '0x']]),
    'contract_call_not_allowed',
    careful,
    { value: 2n },
  ],
  [
    'Multicall3 pays on',
    multicall3,
    aggregate([[friend, 2n, '0x']]),
    'allowed',
    trusting(multicall3),
    { value: 2n, spends: { ...nativeSpend(2n), ...once } },
  ],
  [
    'Multicall3 pays on and keeps a rest',
    multicall3,
    aggregate([[friend, 2n, '0x']]),
    'recipient_not_allowed',
    trusting(multicall3),
    { value: 3n },
  ],
  [
    'Multicall3 pays a stranger',
    multicall3,
    aggregate([[thief, 2n, '0x']]),
    'recipient_not_allowed',
    trusting(multicall3),
    { value: 2n },
  ],
  [
    "Multicall3 takes the wallet's tokens",
    multicall3,
    aggregate([[token, 0n, call('transferFrom(address,address,uint256)', wallet, thief, 5n)]]),
    'recipient_not_allowed',
    trusting(multicall3),
  ],
  [
    'sixty-five calls',
    multicall3,
    aggregate(Array.from({ length: 65 }, () => [friend, 0n, '0x'] as const)),
    'payload_undecodable',
    calling(multicall3),
  ],
  [
    'a router calls itself for the wallet',
    token,
    call('multicall(bytes[])', [transfer(friend, 60n), transfer(friend, 60n)]),
    'token_cap_exceeded',
    trusting(token),
  ],
  [
    'a router with a deadline',
    token,
    call('multicall(uint256,bytes[])', 9n, [transfer(thief, 5n)]),
    'recipient_not_allowed',
    trusting(token),
  ],
  [
    'a router hands itself over',
    contract,
    call('multicall(bytes[])', [call('transferOwnership(address)', thief)]),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'a multicall in an odd encoding',
    token,
    `${call('multicall(bytes[])', [transfer(thief, 5n)])}00`,
    'payload_undecodable',
    calling(token),
  ],
  [
    'ERC-7579, one call',
    contract,
    modular(single, one(token, 0n, transfer(thief, 5n))),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'ERC-7579, several calls',
    contract,
    modular(several, executions(token, 0n, transfer(friend, 500n))),
    'token_cap_exceeded',
    trusting(contract),
  ],
  [
    'ERC-7579, within everything',
    contract,
    modular(single, one(friend, 5n, '0x')),
    'allowed',
    trusting(contract),
    { spends: { ...nativeSpend(5n), ...once } },
  ],
  [
    'ERC-7579, a delegatecall',
    contract,
    modular(delegating, encodePacked(['address', 'bytes'], [thief, '0x'])),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'ERC-7579, an unknown mode',
    contract,
    modular(`0x02${'00'.repeat(31)}`, '0x'),
    'payload_undecodable',
    calling(contract),
  ],
  [
    'operations of others',
    entryPoint,
    call(
      'handleOps((address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,bytes signature)[],address)',
      [
        {
          sender: account,
          nonce: 0n,
          initCode: '0x',
          callData: execute(friend, 1n, '0x'),
          accountGasLimits: single,
          preVerificationGas: 0n,
          gasFees: single,
          paymasterAndData: '0x',
          signature: '0x',
        },
      ],
      wallet,
    ),
    'contract_call_not_allowed',
    calling(entryPoint),
  ],
])

/** Calls within calls. */
export const evmWrappers: readonly CorpusCase[] = wrappers
