import { encodeAbiParameters, type Hex, pad, parseAbiParameters } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  type CallRow,
  call,
  callCases,
  contract,
  friend,
  multicall3,
  once,
  otherToken,
  thief,
  token,
  tokenSpend,
  wallet,
} from './evm-payloads.ts'

const zero: Hex = `0x${'0'.repeat(40)}`
const parameters = (types: string, ...values: readonly unknown[]) =>
  encodeAbiParameters(parseAbiParameters(types), values as never)
const universal = (commands: Hex, ...inputs: readonly Hex[]) =>
  call('execute(bytes,bytes[],uint256)', commands, inputs, 9n)
const swept = (to: Hex) => universal('0x04', parameters('address,address,uint256', token, to, 1n))
const pulled = (to: Hex, amount: bigint) =>
  universal('0x02', parameters('address,address,uint160', token, to, amount))
const swapped = (to: Hex) =>
  call(
    'swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)',
    contract,
    [token, token, contract, to, 5n, 1n, 0n],
    '0x',
  )
const burnt = (to: Hex, amount = 5n) =>
  call('depositForBurn(uint256,uint32,bytes32,address)', amount, 6, pad(to), token)
const hooked = (to: Hex) =>
  call(
    'depositForBurnWithHook(uint256,uint32,bytes32,address,bytes32,uint256,uint32,bytes)',
    5n,
    6,
    pad(to),
    token,
    pad('0x'),
    1n,
    1,
    '0x01',
  )
const sent = (to: Hex, back: Hex = wallet) =>
  call(
    'send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)',
    [30184, pad(to), 5n, 5n, '0x', '0x', '0x'],
    [1n, 0n],
    back,
  )
const filled = (to: Hex, back: Hex = wallet) =>
  call(
    'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)',
    back,
    to,
    token,
    token,
    5n,
    4n,
    10n,
    friend,
    1,
    2,
    0,
    '0x',
  )
const carried = (to: Hex) =>
  call('transferTokens(address,uint256,uint16,bytes32,uint256,uint32)', token, 5n, 2, pad(to), 0n, 1)
const stargate = (to: Hex, back: Hex = wallet) =>
  call(
    'swap(uint16,uint256,uint256,address,uint256,uint256,(uint256,uint256,bytes),bytes,bytes)',
    101,
    1n,
    1n,
    back,
    5n,
    5n,
    [0n, 0n, '0x'],
    to,
    '0x',
  )
const lifi = (to: Hex) =>
  call(
    'swapTokensSingleV3ERC20ToERC20(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool))',
    pad('0x'),
    'x',
    'y',
    to,
    1n,
    [contract, contract, token, token, 5n, '0x', true],
  )

const listed = { allowed_tokens: [{ chain: 'base', token, max_per_tx: '100' }], allowed_recipients: [friend] }
const open = { session: { ...listed, allowed_contracts: [{ chain: 'base', address: contract }] } }
const named = (data: Hex) => ({
  session: {
    ...listed,
    allowed_contracts: [{ chain: 'base', address: contract, selectors: [data.slice(0, 10), '0x04e45aaf'] }],
  },
})
/** A part of some calls names others that nobody compares: they are for those who name the method. */
const rows = (
  [
    ['a sweep of the Universal Router', swept],
    ['what the Universal Router pulls by Permit2', (to: Hex) => pulled(to, 5n)],
    ['a swap of 1inch', swapped, 'partly'],
    ['a burn of CCTP', burnt],
    ['a burn of CCTP with a hook', hooked, 'partly'],
    ['an OFT', sent],
    ['a deposit of Across', filled, 'partly'],
    ['a transfer of Wormhole', carried],
    ['a swap of Stargate', stargate],
    ['a swap of LI.FI', lifi, 'partly'],
  ] as const
).flatMap(([name, make, isPartly]): readonly CallRow[] => [
  [`${name} to a stranger`, contract, make(thief), 'recipient_not_allowed', open],
  [`${name} to a stranger, named`, contract, make(thief), 'recipient_not_allowed', named(make(thief))],
  [`${name} to a recipient`, contract, make(friend), isPartly ? 'recipient_not_allowed' : 'allowed', open],
  [`${name} to a recipient, named`, contract, make(friend), 'allowed', named(make(friend))],
])

const [caller, itself] = ['1', '2'].map((digit) => `0x${'0'.repeat(39)}${digit}` as const) as [Hex, Hex]
const [path, back] = [[token, thief] as const, [thief, token] as const].map(
  ([from, to]) => `${from}000bb8${to.slice(2)}` as Hex,
) as [Hex, Hex]
const exact = (command: Hex, one: bigint, other: bigint, way: Hex, to: Hex = caller) =>
  universal(command, parameters('address,uint256,uint256,bytes,bool', to, one, other, way, true))
const pairs = (command: Hex, one: bigint, other: bigint) =>
  universal(
    command,
    parameters('address,uint256,uint256,address[],bool', caller, one, other, [token, thief], true),
  )
const settled = (action: Hex, input: Hex) => universal('0x10', parameters('bytes,bytes[]', action, [input]))
const single = (to: Hex) =>
  call('exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
    token,
    token,
    500,
    to,
    5n,
    0n,
    0n,
  ])
const several = (...calls: readonly Hex[]) => call('multicall(bytes[])', calls)
const aggregated = (...calls: readonly (readonly [Hex, bigint, Hex])[]) =>
  call(
    'aggregate3Value((address,bool,uint256,bytes)[])',
    calls.map(([to, value, data]) => [to, false, value, data]),
  )
const traded = (to: Hex) =>
  call('swapExactETHForTokens(uint256,address[],address,uint256)', 0n, [token, token], to, 1n)
const wrapped = universal('0x0b', parameters('address,uint256', itself, 5n))
const fee = call('wrapAndTransferETH(uint16,bytes32,uint256,uint32)', 2, pad(friend), 5n, 1)
const bridge = (via: string, types: string, values: readonly unknown[]) =>
  call(
    `startBridgeTokensVia${via}((bytes32,string,string,address,address,address,uint256,uint256,bool,bool),${types})`,
    [pad('0x1'), 'x', 'y', zero, zero, friend, 5n, 10n, false, false],
    values,
  )
const both = (...addresses: readonly Hex[]) => ({
  session: { ...listed, allowed_contracts: addresses.map((address) => ({ chain: 'base', address })) },
})
const value = { value: 5n }

/** What is left with a router, or goes to those whom its call names besides, is not the recipient's. */
const left = (
  [
    ['value for no command', universal('0x'), value],
    ['value that is wrapped for the router', wrapped, value],
    ['a swap of which the router keeps the proceeds', exact('0x00', 5n, 1n, path, itself)],
    ['a swap by a single pool, kept by the router', single(itself)],
    ['a swap by a single pool, kept by an older router', single(zero)],
    ['the same among several calls', several(single(itself))],
    ['a swap that leaves value', single(wallet), value],
    ['several calls that leave value', several(single(wallet)), value],
    ['the proceeds for the contract itself', traded(contract), value],
    ['a swap by a pool that is named', call('ethUnoswap(uint256,uint256)', 1n, BigInt(thief)), value],
    ['a fee of Wormhole for whoever redeems', fee, value],
    [
      'a bridge of LI.FI by Glacis with a refund for a stranger',
      bridge('Glacis', '(bytes32,address,uint256,bytes32)', [pad(friend), thief, 5n, pad(token)]),
      value,
    ],
    [
      'a bridge of LI.FI by Stargate with a refund for a stranger',
      bridge(
        'Stargate',
        '(uint16,(uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)',
        [1, [30184, pad(friend), 1n, 0n, '0x', '0x', '0x'], [5n, 0n], thief],
      ),
      value,
    ],
  ] as const
).flatMap(([name, data, more]): readonly CallRow[] => [
  [name, contract, data, 'recipient_not_allowed', open, more ?? {}],
  [`${name}, named`, contract, data, 'allowed', named(data), more ?? {}],
])

/** Calls of Multicall3 are its own: whatever stays with it is anybody's. */
const forwarded: readonly CallRow[] = (
  [
    ['no calls', call('aggregate3((address,bool,bytes)[])', [])],
    ['a call that takes less', aggregated([contract, 4n, traded(wallet)])],
    ['proceeds for it', aggregated([contract, 5n, traded(multicall3)])],
    ['proceeds for the caller of a router', aggregated([contract, 5n, exact('0x00', 5n, 1n, path)])],
    ['ether that it wraps', aggregated([contract, 5n, call('deposit()')])],
  ] as const
).map(([name, data]) => [
  `Multicall3 with ${name}`,
  multicall3,
  data,
  'recipient_not_allowed',
  both(multicall3, contract),
  value,
])

/** What the Universal Router takes by an allowance of Permit2. */
const taken = (
  [
    ['a swap of Uniswap 3', (amount: bigint) => exact('0x00', amount, 1n, path)],
    ['a swap of Uniswap 3 for an amount', (amount: bigint) => exact('0x01', 1n, amount, back)],
    ['a swap of Uniswap 2', (amount: bigint) => pairs('0x08', amount, 1n)],
    ['a swap of Uniswap 2 for an amount', (amount: bigint) => pairs('0x09', 1n, amount)],
    [
      'a settlement of Uniswap 4',
      (amount: bigint) => settled('0x0b', parameters('address,uint256,bool', token, amount, true)),
    ],
    [
      'the whole settlement',
      (amount: bigint) => settled('0x0c', parameters('address,uint256', token, amount)),
    ],
  ] as const
).flatMap(([name, make]): readonly CallRow[] => [
  [name, contract, make(100n), 'allowed', open, { spends: { ...tokenSpend(100n), ...once } }],
  [`${name} over the cap`, contract, make(101n), 'token_cap_exceeded', open],
  [`${name} over the cap, named`, contract, make(101n), 'token_cap_exceeded', named(make(101n))],
])

const more: readonly CallRow[] = [
  ...(['0x00', '0x01'] as const).map(
    (command): CallRow => [
      `a path of Uniswap 3 with another token behind its end, by command ${command}`,
      contract,
      exact(command, 1n, 1n, `${back}0000${otherToken.slice(2)}`),
      'payload_undecodable',
      open,
    ],
  ),
  [
    'change of an OFT for a stranger',
    contract,
    sent(friend, thief),
    'recipient_not_allowed',
    named(sent(friend)),
  ],
  [
    'what Across pays back to a stranger',
    contract,
    filled(friend, thief),
    'recipient_not_allowed',
    named(filled(friend)),
  ],
  [
    'the proceeds of a call of Multicall3 for the wallet',
    multicall3,
    aggregated([contract, 5n, traded(wallet)]),
    'allowed',
    both(multicall3, contract),
    value,
  ],
  [
    'a settlement of Uniswap 4 of whatever is owed',
    contract,
    settled('0x0b', parameters('address,uint256,bool', token, 0n, true)),
    'payload_undecodable',
    named(swept(friend)),
  ],
  ['change of Stargate for a stranger', contract, stargate(friend, thief), 'recipient_not_allowed', open],
  [
    'a burn of CCTP over the cap, named',
    contract,
    burnt(friend, 101n),
    'token_cap_exceeded',
    named(burnt(friend)),
  ],
  [
    'a pull of the Universal Router over the cap, named',
    contract,
    pulled(friend, 101n),
    'token_cap_exceeded',
    named(swept(friend)),
  ],
  [
    'a command of the Universal Router that nobody reads, named',
    contract,
    universal('0x12', '0x'),
    'payload_undecodable',
    named(swept(friend)),
  ],
  [
    'a method that nobody reads beside a recipient list',
    contract,
    '0x12345678',
    'recipient_not_allowed',
    open,
  ],
  ['the same, named', contract, '0x12345678', 'allowed', named('0x12345678'), {}],
]

/** EVM: who gets something behind routers and bridges. */
export const routerCases: readonly CorpusCase[] = callCases('routers', [
  ...rows,
  ...left,
  ...forwarded,
  ...taken,
  ...more,
])
