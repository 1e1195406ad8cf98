import { type Hex, maxUint160, maxUint256 } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  call,
  callCases,
  calling,
  careful,
  contract,
  friend,
  once,
  otherToken,
  permit2,
  thief,
  token,
  tokenSpend,
  wallet,
} from './evm-payloads.ts'
import { anything } from './transaction-cases.ts'

const approve = (amount: bigint, spender = friend) => call('approve(address,uint256)', spender, amount)
const word = `0x${'00'.repeat(32)}` as const
const permitted = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
const approve2 = (amount: bigint, spender: Hex, of = token) =>
  call('approve(address,address,uint160,uint48)', of, spender, amount, 9)

const approvals = callCases('approvals', [
  [
    'of an amount within the cap',
    token,
    approve(100n),
    'allowed',
    careful,
    { spends: { ...tokenSpend(100n), ...once } },
  ],
  ['above the cap', token, approve(101n), 'token_cap_exceeded'],
  ['to a stranger', token, approve(1n, thief), 'recipient_not_allowed'],
  ['of another token', otherToken, approve(1n), 'token_not_allowed'],
  ['without bound', token, approve(maxUint256), 'approval_not_allowed', anything],
  ['just below 2^256', token, approve(maxUint256 - 1n), 'approval_not_allowed', anything],
  ['without bound as some tokens have it', token, approve(2n ** 96n - 1n), 'approval_not_allowed', anything],
  ['taken back', token, approve(0n), 'allowed', careful, { spends: once }],
  ['taken back from another token', otherToken, approve(0n), 'token_not_allowed'],
  ['raised', token, call('increaseAllowance(address,uint256)', friend, 101n), 'token_cap_exceeded'],
  [
    'raised without bound',
    token,
    call('increaseAllowance(address,uint256)', friend, maxUint256),
    'approval_not_allowed',
    anything,
  ],
  [
    'raised the old way',
    token,
    call('increaseApproval(address,uint256)', thief, 5n),
    'recipient_not_allowed',
  ],
  [
    'raised the old way, though the contract may be called',
    token,
    call('increaseApproval(address,uint256)', thief, maxUint256),
    'approval_not_allowed',
    calling(token),
  ],
  [
    'lowered',
    token,
    call('decreaseAllowance(address,uint256)', friend, 5n),
    'allowed',
    careful,
    { spends: once },
  ],
  [
    'with a call of the spender',
    token,
    call('approveAndCall(address,uint256,bytes)', thief, 5n, '0x'),
    'recipient_not_allowed',
  ],
  [
    'of all items',
    token,
    call('setApprovalForAll(address,bool)', friend, true),
    'approval_not_allowed',
    calling(token),
  ],
  [
    'of all items, taken back',
    token,
    call('setApprovalForAll(address,bool)', friend, false),
    'allowed',
    careful,
    { spends: once },
  ],
  [
    'an operator of ERC-777',
    token,
    call('authorizeOperator(address)', friend),
    'approval_not_allowed',
    calling(token),
  ],
  [
    'an operator of ERC-6909',
    token,
    call('setOperator(address,bool)', friend, true),
    'approval_not_allowed',
    calling(token),
  ],
  [
    'an item of ERC-6909',
    token,
    call('approve(address,uint256,uint256)', friend, 1n, 1n),
    'approval_not_allowed',
    calling(token),
  ],
  [
    'a manager of a market',
    contract,
    call('allow(address,bool)', thief, true),
    'approval_not_allowed',
    calling(contract),
  ],
  [
    'credit',
    contract,
    call('approveDelegation(address,uint256)', thief, 5n),
    'approval_not_allowed',
    calling(contract),
  ],
  [
    'a permit of EIP-2612 that is submitted',
    token,
    call(permitted, wallet, thief, 5n, 9n, 27, word, word),
    'recipient_not_allowed',
  ],
  [
    "DAI's permit that is submitted",
    token,
    call(
      'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
      wallet,
      friend,
      0n,
      0n,
      true,
      27,
      word,
      word,
    ),
    'approval_not_allowed',
    anything,
  ],
  [
    'by Permit2',
    permit2,
    approve2(100n, friend),
    'allowed',
    careful,
    { spends: { ...tokenSpend(100n), ...once } },
  ],
  ['by Permit2 of another token', permit2, approve2(1n, friend, otherToken), 'token_not_allowed'],
  ['by Permit2 to a stranger', permit2, approve2(1n, thief), 'recipient_not_allowed'],
  ['by Permit2 without bound', permit2, approve2(maxUint160, friend), 'approval_not_allowed', anything],
  ['as by Permit2, of another contract', contract, approve2(1n, friend), 'contract_call_not_allowed'],
  ['of all tokens to Permit2', token, approve(maxUint256, permit2), 'approval_not_allowed', anything],
  [
    'a permit of Permit2 that is submitted',
    permit2,
    call(
      'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
      wallet,
      [[token, 5n, 9, 0], friend, 9n],
      '0x',
    ),
    'approval_not_allowed',
    calling(permit2),
  ],
])

/** Rights over tokens that are given away. */
export const evmApprovals: readonly CorpusCase[] = approvals
