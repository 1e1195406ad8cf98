import { encodePacked, type Hex, size, zeroAddress } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  call,
  callCases,
  calling,
  contract,
  friend,
  multiSend,
  nativeSpend,
  once,
  thief,
  token,
  tokenSpend,
  transfer,
  trusting,
} from './evm-payloads.ts'

const exec = (to: Hex, value: bigint, data: Hex, operation = 0, gasPrice = 0n) =>
  call(
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    to,
    value,
    data,
    operation,
    0n,
    0n,
    gasPrice,
    zeroAddress,
    zeroAddress,
    '0x',
  )
const packed = (to: Hex, value: bigint, data: Hex, operation = 0) =>
  encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [operation, to, value, BigInt(size(data)), data],
  )
const sendAll = (...calls: readonly Hex[]) =>
  call('multiSend(bytes)', `0x${calls.map((each) => each.slice(2)).join('')}`)

const safes = callCases('a Safe', [
  ['is a call', contract, exec(friend, 5n, '0x'), 'contract_call_not_allowed'],
  [
    'pays a friend',
    contract,
    exec(friend, 5n, '0x'),
    'allowed',
    trusting(contract),
    { spends: { ...nativeSpend(5n), ...once } },
  ],
  ['pays a stranger', contract, exec(thief, 5n, '0x'), 'recipient_not_allowed', trusting(contract)],
  [
    'runs foreign code',
    contract,
    exec(thief, 0n, '0x12345678', 1),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'runs foreign code without data',
    contract,
    exec(thief, 0n, '0x', 1),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'runs MultiSend',
    contract,
    exec(multiSend, 0n, sendAll(packed(token, 0n, transfer(friend, 5n)), packed(friend, 5n, '0x')), 1),
    'allowed',
    trusting(contract),
    { spends: { ...tokenSpend(5n), ...nativeSpend(5n), ...once } },
  ],
  [
    'keeps what it is given beside a delegatecall, which sends nothing',
    contract,
    exec(multiSend, 5n, sendAll(packed(friend, 0n, '0x')), 1),
    'recipient_not_allowed',
    trusting(contract),
    { value: 5n },
  ],
  [
    'runs MultiSend with a payment to a stranger',
    contract,
    exec(multiSend, 0n, sendAll(packed(friend, 1n, '0x'), packed(thief, 1n, '0x')), 1),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'runs MultiSend with foreign code',
    contract,
    exec(multiSend, 0n, sendAll(packed(thief, 0n, '0x12345678', 1)), 1),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'runs MultiSend that adds an owner',
    contract,
    exec(
      multiSend,
      0n,
      sendAll(packed(contract, 0n, call('addOwnerWithThreshold(address,uint256)', thief, 1n))),
      1,
    ),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'runs MultiSend cut short',
    contract,
    exec(multiSend, 0n, call('multiSend(bytes)', packed(thief, 1n, '0x').slice(0, -2) as Hex), 1),
    'account_admin_not_allowed',
    calling(contract),
  ],
  ['pays for gas', contract, exec(friend, 0n, '0x', 0, 1n), 'payload_undecodable', calling(contract)],
  [
    'changes itself',
    contract,
    exec(contract, 0n, '0x12345678'),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'by a module',
    contract,
    call('execTransactionFromModule(address,uint256,bytes,uint8)', thief, 5n, '0x', 0),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'by a module, foreign code',
    contract,
    call('execTransactionFromModule(address,uint256,bytes,uint8)', thief, 0n, '0x', 1),
    'account_admin_not_allowed',
    calling(contract),
  ],
])

/** Transactions of a Safe. */
export const evmSafes: readonly CorpusCase[] = safes
