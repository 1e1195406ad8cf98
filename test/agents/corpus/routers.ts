import { encodeAbiParameters, type Hex, pad, parseAbiParameters } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import { type CallRow, call, callCases, contract, friend, thief, token, wallet } from './evm-payloads.ts'

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
    allowed_contracts: [{ chain: 'base', address: contract, selectors: [data.slice(0, 10)] }],
  },
})
const paid = {}

const rows = (
  [
    ['a sweep of the Universal Router', swept, {}],
    ['what the Universal Router pulls by Permit2', (to: Hex) => pulled(to, 5n), paid],
    ['a swap of 1inch', swapped, {}],
    ['a burn of CCTP', burnt, paid],
    ['an OFT', sent, {}],
    ['a deposit of Across', filled, paid],
    ['a transfer of Wormhole', carried, paid],
    ['a swap of Stargate', stargate, {}],
    ['a swap of LI.FI', lifi, {}],
  ] as const
).flatMap(([name, make, spends]): readonly CallRow[] => [
  [`${name} to a stranger`, contract, make(thief), 'recipient_not_allowed', open],
  [`${name} to a stranger, named`, contract, make(thief), 'recipient_not_allowed', named(make(thief))],
  [`${name} to a recipient`, contract, make(friend), 'allowed', open, spends],
])

const more: readonly CallRow[] = [
  [
    'change of an OFT for a stranger',
    contract,
    sent(friend, thief),
    'recipient_not_allowed',
    named(sent(friend)),
  ],
  ['what Across pays back to a stranger', contract, filled(friend, thief), 'recipient_not_allowed', open],
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
export const routerCases: readonly CorpusCase[] = callCases('routers', [...rows, ...more])
