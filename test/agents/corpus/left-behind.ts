import { type Hex, pad } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  account,
  type CallRow,
  call,
  callCases,
  contract,
  friend,
  multicall3,
  once,
  thief,
  token,
  tokenSpend,
  wallet,
} from './evm-payloads.ts'

const listed = { allowed_tokens: [{ chain: 'base', token, max_per_tx: '100' }], allowed_recipients: [friend] }
const open = (...addresses: readonly Hex[]) => ({
  session: { ...listed, allowed_contracts: addresses.map((address) => ({ chain: 'base', address })) },
})
const named = (address: Hex, ...methods: readonly Hex[]) => ({
  session: {
    ...listed,
    allowed_contracts: [{ chain: 'base', address, selectors: methods.map((data) => data.slice(0, 10)) }],
  },
})
const value = { value: 5n }
const wrapped: Hex = '0x4200000000000000000000000000000000000006'

const exactIn = call(
  'swapExactETHForTokens(uint256,address[],address,uint256)',
  0n,
  [token, token],
  wallet,
  1n,
)
const exactOut = call(
  'swapETHForExactTokens(uint256,address[],address,uint256)',
  1n,
  [token, token],
  wallet,
  1n,
)
const batch = (...calls: readonly (readonly [Hex, boolean, bigint, Hex])[]) =>
  call('aggregate3Value((address,bool,uint256,bytes)[])', calls)
const safe = (data: Hex, gas: bigint) =>
  call(
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    friend,
    5n,
    data,
    0,
    gas,
    0n,
    0n,
    pad('0x', { size: 20 }),
    pad('0x', { size: 20 }),
    '0x',
  )
const ofAccount = (...calls: readonly (readonly [Hex, bigint, Hex])[]) =>
  call(
    'executeBatch(address[],uint256[],bytes[])',
    calls.map(([to]) => to),
    calls.map(([, amount]) => amount),
    calls.map(([, , data]) => data),
  )

/** Value that no call uses: its contract was made to keep it, so that somebody else takes it. */
const kept: readonly CallRow[] = [
  [
    'Multicall3 with a call that may fail',
    multicall3,
    batch([contract, true, 5n, exactIn]),
    'recipient_not_allowed',
    open(multicall3, contract),
    value,
  ],
  [
    'Multicall3 with a payment that may fail',
    multicall3,
    batch([friend, true, 5n, '0x']),
    'recipient_not_allowed',
    open(multicall3),
    value,
  ],
  [
    'Multicall3 with a call of itself, of which a call may fail',
    multicall3,
    batch([multicall3, false, 5n, batch([contract, true, 5n, exactIn])]),
    'recipient_not_allowed',
    open(multicall3, contract),
    value,
  ],
  [
    'Multicall3 with a payment to itself beside a call of itself',
    multicall3,
    batch([multicall3, false, 0n, batch()], [multicall3, false, 5n, '0x']),
    'recipient_not_allowed',
    open(multicall3),
    value,
  ],
  [
    'Multicall3 with a payment that may not fail',
    multicall3,
    batch([friend, false, 5n, '0x']),
    'allowed',
    open(multicall3),
    value,
  ],
  [
    'Multicall3 with a call whose change comes back to it',
    multicall3,
    batch([contract, false, 5n, exactOut]),
    'recipient_not_allowed',
    open(multicall3, contract),
    value,
  ],
  ['the same call of the wallet itself', contract, exactOut, 'allowed', open(contract), value],
  [
    'a payment by a Safe that passes over failures',
    contract,
    safe('0x', 1n),
    'recipient_not_allowed',
    open(contract),
    value,
  ],
  ['a payment by a Safe', contract, safe('0x', 0n), 'allowed', open(contract), value],
  [
    'a payment by a module of a Safe',
    contract,
    call('execTransactionFromModule(address,uint256,bytes,uint8)', friend, 5n, '0x', 0),
    'recipient_not_allowed',
    open(contract),
    value,
  ],
  [
    'a bare payment to a contract that is called beside',
    account,
    ofAccount([contract, 0n, exactIn], [contract, 5n, '0x']),
    'recipient_not_allowed',
    open(contract),
  ],
  [
    'value with a method of tokens beside a call',
    account,
    ofAccount([token, 0n, call('deposit()')], [token, 5n, call('approve(address,uint256)', friend, 0n)]),
    'recipient_not_allowed',
    open(token),
  ],
  [
    'value with a call that takes tokens',
    contract,
    call('withdraw(uint256)', 5n),
    'recipient_not_allowed',
    open(contract),
    value,
  ],
  [
    'value with a vote',
    contract,
    call('delegate(address)', thief),
    'recipient_not_allowed',
    open(contract),
    value,
  ],
  ['value that is wrapped', contract, call('deposit()'), 'allowed', open(contract), value],
  [
    'shares for the vault itself',
    contract,
    call('mint(uint256,address)', 5n, contract),
    'recipient_not_allowed',
    open(contract),
  ],
  [
    'what a wrapper gives back for itself',
    contract,
    call('withdrawTo(address,uint256)', contract, 5n),
    'recipient_not_allowed',
    open(contract),
  ],
]

const deposited = (asset: Hex, amount = 1000n) =>
  call(
    'deposit(address,address,uint256,uint256,int64,uint32,bytes,uint256)',
    wallet,
    asset,
    amount,
    10n,
    0n,
    1,
    '0x',
    0n,
  )

/** Value that goes along says nothing about the token that is taken. */
const beside: readonly CallRow[] = [
  [
    'an old deposit of Across over the cap, with a wei beside',
    contract,
    deposited(token),
    'token_cap_exceeded',
    named(contract, deposited(token)),
    { value: 1n },
  ],
  [
    'the same of the wrapped native asset, which goes by value',
    contract,
    deposited(wrapped, 5n),
    'allowed',
    named(contract, deposited(wrapped)),
    value,
  ],
]

/** Data for who gets tokens is a call of that contract. */
const handedOn = (
  [
    ['ERC-223', 'transfer(address,uint256,bytes)'],
    ['ERC-677 and 1363', 'transferAndCall(address,uint256,bytes)'],
    ['ERC-777', 'send(address,uint256,bytes)'],
    ['an approval', 'approveAndCall(address,uint256,bytes)'],
  ] as const
).flatMap(([name, method]): readonly CallRow[] => [
  [
    `tokens with data by ${name}`,
    token,
    call(method, friend, 5n, '0x01'),
    'contract_call_not_allowed',
    open(),
  ],
  [
    `tokens with empty data by ${name}`,
    token,
    call(method, friend, 5n, '0x'),
    'allowed',
    open(),
    { spends: { ...tokenSpend(5n), ...once } },
  ],
])

const called: readonly CallRow[] = [
  [
    'tokens with data for a contract that may be called',
    token,
    call('transferAndCall(address,uint256,bytes)', friend, 5n, '0x01'),
    'allowed',
    named(friend, '0xa4c0ed36'),
  ],
]

const filled = (traits: bigint, args: Hex) =>
  call(
    'fillOrderArgs((uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256),bytes32,bytes32,uint256,uint256,bytes)',
    [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n],
    pad('0x01'),
    pad('0x01'),
    5n,
    traits,
    args,
  )
const swapped = (to: Hex) =>
  call('unoswapTo(uint256,uint256,uint256,uint256,uint256)', BigInt(to), 1n, 1n, 1n, 1n)
const permitted = (data: Hex) => call('permitAndCall(bytes,bytes)', '0x', data)
const ether = (to: Hex) => call('bridgeETHTo(address,uint32,bytes)', to, 1, '0x')
const carried = (to: Hex) => call('transfer(uint256,uint16,bytes32)', 5n, 2, pad(to))

/** Methods of routers and bridges beside those of `routers`. */
const further: readonly CallRow[] = [
  [
    'an order of 1inch filled for a stranger, named',
    contract,
    filled(1n << 251n, thief),
    'recipient_not_allowed',
    named(contract, filled(0n, '0x')),
  ],
  [
    'an order of 1inch filled for the wallet, named',
    contract,
    filled(0n, thief),
    'allowed',
    named(contract, filled(0n, '0x')),
  ],
  [
    'a swap of 1inch for a stranger behind a permit, named',
    contract,
    permitted(swapped(thief)),
    'recipient_not_allowed',
    named(contract, permitted('0x'), swapped(thief)),
  ],
  [
    'a swap of 1inch for a recipient behind a permit, named',
    contract,
    permitted(swapped(friend)),
    'allowed',
    named(contract, permitted('0x'), swapped(thief)),
  ],
  [
    'ether for a stranger on a rollup, named',
    contract,
    ether(thief),
    'recipient_not_allowed',
    named(contract, ether(thief)),
    value,
  ],
  ['ether for a recipient on a rollup', contract, ether(friend), 'allowed', open(contract), value],
  [
    'native tokens of Wormhole for a stranger, named',
    contract,
    carried(thief),
    'recipient_not_allowed',
    named(contract, carried(thief)),
  ],
  ['native tokens of Wormhole for a recipient', contract, carried(friend), 'allowed', open(contract)],
]

const market = (
  [
    [
      'a deposit with a pool of Aave that is named',
      call('depositETH(address,address,uint16)', thief, wallet, 0),
      value,
    ],
    [
      'a supply to a market of Morpho',
      call(
        'supply((address,address,address,address,uint256),uint256,uint256,address,bytes)',
        [token, thief, thief, thief, 1n],
        5n,
        0n,
        wallet,
        '0x',
      ),
      {},
    ],
    [
      'a pair of tokens of the bridge of a rollup',
      call('bridgeERC20(address,address,uint256,uint32,bytes)', token, thief, 5n, 1, '0x'),
      {},
    ],
  ] as const
).flatMap(([name, data, more]): readonly CallRow[] => [
  [name, contract, data, 'recipient_not_allowed', open(contract), more],
  [`${name}, by a named method`, contract, data, 'allowed', named(contract, data), more],
])

/** EVM: what is left with contracts or handed on by them, in ways that a policy could overlook. */
export const leftBehindCases: readonly CorpusCase[] = callCases('left behind', [
  ...kept,
  ...beside,
  ...handedOn,
  ...called,
  ...further,
  ...market,
])
