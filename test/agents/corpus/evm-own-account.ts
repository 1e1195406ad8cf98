import { type Hex, maxUint256 } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  account,
  call,
  callCases,
  calling,
  careful,
  contract,
  execute,
  friend,
  nativeSpend,
  once,
  thief,
  token,
  tokenSpend,
  transfer,
} from './evm-payloads.ts'
import { anything } from './transaction-cases.ts'

const executeBatch = (to: readonly Hex[], value: readonly bigint[], data: readonly Hex[]) =>
  call('executeBatch(address[],uint256[],bytes[])', to, value, data)
const approve = (amount: bigint) => call('approve(address,uint256)', friend, amount)
const own = callCases('the own smart account', [
  [
    'pays a friend',
    account,
    execute(friend, 5n, '0x'),
    'allowed',
    careful,
    { spends: { ...nativeSpend(5n), ...once } },
  ],
  ['pays a stranger', account, execute(thief, 5n, '0x'), 'recipient_not_allowed'],
  ['pays above the cap', account, execute(friend, 101n, '0x'), 'per_tx_cap_exceeded'],
  [
    'pays on what it is given',
    account,
    execute(friend, 5n, '0x'),
    'allowed',
    careful,
    { value: 5n, spends: { ...nativeSpend(5n), ...once } },
  ],
  [
    'keeps what it is given',
    account,
    execute(friend, 5n, '0x'),
    'recipient_not_allowed',
    careful,
    { value: 6n },
  ],
  [
    'pays in two parts above the cap',
    account,
    executeBatch([friend, friend], [60n, 60n], ['0x', '0x']),
    'per_tx_cap_exceeded',
  ],
  [
    'pays a friend and a stranger',
    account,
    executeBatch([friend, thief], [1n, 1n], ['0x', '0x']),
    'recipient_not_allowed',
  ],
  [
    'sends a token',
    account,
    execute(token, 0n, transfer(friend, 5n)),
    'allowed',
    careful,
    { spends: { ...tokenSpend(5n), ...once } },
  ],
  [
    'sends a token in two parts above the cap',
    account,
    executeBatch([token, token], [0n, 0n], [transfer(friend, 60n), transfer(friend, 60n)]),
    'token_cap_exceeded',
  ],
  [
    'approves without bound behind a payment',
    account,
    executeBatch([friend, token], [1n, 0n], ['0x', approve(maxUint256)]),
    'approval_not_allowed',
    anything,
  ],
  [
    'hands itself over within a batch',
    account,
    executeBatch([friend, account], [1n, 0n], ['0x', call('transferOwnership(address)', thief)]),
    'account_admin_not_allowed',
    anything,
  ],
  [
    'upgrades itself within a call of itself',
    account,
    execute(account, 0n, execute(account, 0n, call('upgradeToAndCall(address,bytes)', thief, '0x'))),
    'account_admin_not_allowed',
    calling(account),
  ],
  ['calls an unknown contract', account, execute(contract, 0n, '0x12345678'), 'contract_call_not_allowed'],
  [
    'lists of different lengths',
    account,
    executeBatch([friend, thief], [1n], ['0x', '0x']),
    'account_admin_not_allowed',
    anything,
  ],
  [
    'an odd encoding',
    account,
    `${execute(thief, 5n, '0x')}00`,
    'account_admin_not_allowed',
    calling(account),
  ],
  ['an empty batch', account, executeBatch([], [], []), 'allowed', careful, { spends: once }],
])

/** Calls that the wallet makes its own smart account make. */
export const evmOwnAccount: readonly CorpusCase[] = own
