import type { Hex } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  call,
  callCases,
  calling,
  contract,
  friend,
  nativeSpend,
  once,
  thief,
  token,
  tokenSpend,
  transfer,
  trusting,
} from './evm-payloads.ts'

const paid = { spends: { ...tokenSpend(5n), ...once } }
const word = `0x${'00'.repeat(32)}` as const
const withOperation = (to: Hex, value: bigint, data: Hex, operation: number) =>
  call('execute(address,uint256,bytes,uint8)', to, value, data, operation)
const erc725 = (operation: bigint, to: Hex, data: Hex) =>
  call('execute(uint256,address,uint256,bytes)', operation, to, 0n, data)
const operations = (...calls: readonly (readonly [data: Hex, operation: number])[]) =>
  call(
    'executeBatch((address target,uint256 value,bytes data,uint8 operation)[])',
    calls.map(([data, operation]) => ({ target: token, value: 0n, data, operation })),
  )

/** Each name that a list of calls has: what is handed on is counted, and goes to nobody else. */
const lists = callCases(
  'lists of calls',
  [
    'execute((address target,uint256 value,bytes data)[])',
    'aggregate((address target,uint256 value,bytes data)[])',
    'batch((address target,uint256 value,bytes data)[])',
    'batchCall((address target,uint256 value,bytes data)[])',
    'multicall((address target,uint256 value,bytes data)[])',
    'multiSend((address target,uint256 value,bytes data)[])',
    'multicall((address target,bytes data)[])',
  ].flatMap((signature) => {
    const list = (to: Hex) => call(signature, [{ target: token, value: 0n, data: transfer(to, 5n) }])
    const layers = trusting(contract)
    return [
      [signature, contract, list(friend), 'allowed', layers, paid] as const,
      [`${signature} to a stranger`, contract, list(thief), 'recipient_not_allowed', layers] as const,
    ]
  }),
)

/** Each name that a single call has. */
const singles = callCases(
  'single calls',
  ['executeCall', 'execFromEntryPoint', 'execute_ncC', 'forward', 'invoke'].flatMap((name) => {
    const single = (to: Hex) => call(`${name}(address,uint256,bytes)`, to, 5n, '0x')
    const layers = trusting(contract)
    const spends = { ...nativeSpend(5n), ...once }
    return [
      [name, contract, single(friend), 'allowed', layers, { value: 5n, spends }] as const,
      [`${name} to a stranger`, contract, single(thief), 'recipient_not_allowed', layers] as const,
    ]
  }),
)

const accounts = callCases('accounts of others', [
  [
    'ERC-6551, a call',
    contract,
    withOperation(token, 0n, transfer(friend, 5n), 0),
    'allowed',
    trusting(contract),
    paid,
  ],
  [
    'ERC-6551, a payment',
    contract,
    withOperation(friend, 5n, '0x', 0),
    'allowed',
    trusting(contract),
    { value: 5n, spends: { ...nativeSpend(5n), ...once } },
  ],
  [
    'ERC-6551, to a stranger',
    contract,
    withOperation(thief, 5n, '0x', 0),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'ERC-6551, a delegatecall',
    contract,
    withOperation(token, 0n, transfer(friend, 5n), 1),
    'account_admin_not_allowed',
    trusting(contract),
  ],
  [
    'ERC-6551, a new contract',
    contract,
    withOperation(token, 0n, '0x6000', 2),
    'contract_creation_not_allowed',
    trusting(contract),
  ],
  [
    'ERC-6551, an unknown operation',
    contract,
    withOperation(token, 0n, '0x', 4),
    'payload_undecodable',
    trusting(contract),
  ],
  ['ERC-6551, a batch', contract, operations([transfer(friend, 5n), 0]), 'allowed', trusting(contract), paid],
  [
    'ERC-6551, a batch with a delegatecall',
    contract,
    operations([transfer(friend, 5n), 0], ['0x', 1]),
    'account_admin_not_allowed',
    trusting(contract),
  ],
  ['ERC-725, a call', contract, erc725(0n, token, transfer(friend, 5n)), 'allowed', trusting(contract), paid],
  [
    'ERC-725, a delegatecall',
    contract,
    erc725(4n, token, transfer(friend, 5n)),
    'account_admin_not_allowed',
    trusting(contract),
  ],
  [
    'ERC-725, a batch to a stranger',
    contract,
    call('executeBatch(uint256[],address[],uint256[],bytes[])', [0n], [token], [0n], [transfer(thief, 5n)]),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'DSProxy runs foreign code',
    contract,
    call('execute(address,bytes)', token, transfer(friend, 5n)),
    'account_admin_not_allowed',
    trusting(contract),
  ],
  [
    'DSProxy runs new code',
    contract,
    call('execute(bytes,bytes)', '0x6000', '0x'),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'a module of a Safe runs foreign code',
    contract,
    call('executeUserOp(address,uint256,bytes,uint8)', token, 0n, '0x', 1),
    'account_admin_not_allowed',
    trusting(contract),
  ],
  [
    'a time lock to a stranger',
    contract,
    call('execute(address,uint256,bytes,bytes32,bytes32)', thief, 5n, '0x', word, word),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'targets and data in two lists',
    contract,
    call('multicall(address[],bytes[])', [token], [transfer(friend, 5n)]),
    'allowed',
    trusting(contract),
    paid,
  ],
  [
    'targets and data in two lists, to a stranger',
    contract,
    call('multicall(address[],bytes[])', [token], [transfer(thief, 5n)]),
    'recipient_not_allowed',
    trusting(contract),
  ],
  [
    'lists of two lengths',
    contract,
    call('multicall(address[],bytes[])', [token, token], [transfer(friend, 5n)]),
    'payload_undecodable',
    calling(contract),
  ],
])

/** Accounts and multicalls that are not the wallet's, by all the names that their methods have. */
export const evmAccounts: readonly CorpusCase[] = [...lists, ...singles, ...accounts]
