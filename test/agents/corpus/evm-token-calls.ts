import type { Hex } from 'viem'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import {
  call,
  callCases,
  contract,
  friend,
  nativeSpend,
  once,
  otherToken,
  thief,
  token,
  tokenSpend,
  wallet,
} from './evm-payloads.ts'

const listed = [{ chain: 'base', token, max_per_tx: '100', max_total: '100' }]
/** A token with caps that is also a contract, with every method or with those that are named. */
const both = (selectors?: readonly string[], more: object = {}): CorpusLayers => ({
  session: {
    allowed_tokens: listed,
    allowed_contracts: [
      { chain: 'base', address: token.toLowerCase(), ...(selectors && { selectors }) },
      { chain: 'base', address: contract },
    ],
    ...more,
  },
})
const toFriend = both(undefined, { allowed_recipients: [friend] })
const paid = { spends: { ...tokenSpend(5n), ...once } }
const selector = (data: Hex) => data.slice(0, 10)
const assets = call('withdraw(uint256,address,address)', 5n, wallet, wallet)
const redeem = (amount: bigint, to: Hex) => call('redeem(uint256,address,address)', amount, to, wallet)
const bridge = (asset: Hex, to: Hex) =>
  call('withdrawTo(address,address,uint256,uint32,bytes)', asset, to, 5n, 0, '0x')

const counted = callCases(
  'tokens that a call takes',
  (
    [
      ['burn(uint256)', 5n],
      ['burn(uint256,bytes)', 5n, '0x'],
      ['burn(address,uint256)', wallet, 5n],
      ['burnFrom(address,uint256)', wallet, 5n],
      ['operatorBurn(address,uint256,bytes,bytes)', wallet, 5n, '0x', '0x'],
      ['redeem(uint256)', 5n],
      ['redeem(uint256,address,address)', 5n, wallet, wallet],
      ['unwrap(uint256)', 5n],
      ['withdraw(uint256)', 5n],
      ['withdrawTo(address,uint256)', wallet, 5n],
      ['batchTransfer(address[],uint256[])', [wallet], [5n]],
      ['batchTransfer(address[],uint256)', [wallet], 5n],
      ['multiTransfer(address[],uint256[])', [wallet], [5n]],
    ] as const
  ).flatMap(([signature, ...args]) => {
    const scaled = args.map((arg) => (arg === 5n ? 101n : Array.isArray(arg) && arg[0] === 5n ? [101n] : arg))
    return [
      [signature, token, call(signature, ...args), 'allowed', both(), paid] as const,
      [`${signature} over the cap`, token, call(signature, ...scaled), 'token_cap_exceeded', both()] as const,
      [
        `${signature} of a contract that is not a token`,
        contract,
        call(signature, ...scaled),
        'allowed',
        both(),
        { spends: once },
      ] as const,
    ]
  }),
)

const noted = callCases(
  'burnt tokens with a note, which may say who is paid',
  (
    [
      ['burn(uint256,bytes)', 5n, '0x6d'],
      ['operatorBurn(address,uint256,bytes,bytes)', wallet, 5n, '0x', '0x6d'],
    ] as const
  ).flatMap(([signature, ...args]) => {
    const data = call(signature, ...args)
    return [
      [signature, token, data, 'contract_call_not_allowed', toFriend] as const,
      [
        `${signature}, named`,
        token,
        data,
        'allowed',
        both([selector(data)], { allowed_recipients: [friend] }),
        paid,
      ] as const,
    ]
  }),
)

const moved = callCases(
  'transfers by other names',
  (
    [
      ['transfer(address,uint256,bytes)', '0x'],
      ['transferWithMemo(address,uint256,bytes32)', `0x${'00'.repeat(32)}`],
      ['transferWithMemo(address,uint256,string)', 'rent'],
      ['transferWithData(address,uint256,bytes)', '0x'],
      ['safeTransfer(address,uint256,bytes)', '0x'],
    ] as const
  ).flatMap(([signature, more]) => [
    [signature, token, call(signature, friend, 5n, more), 'allowed', toFriend, paid] as const,
    [
      `${signature} over the cap`,
      token,
      call(signature, friend, 101n, more),
      'token_cap_exceeded',
      toFriend,
    ] as const,
    [
      `${signature} to a stranger`,
      token,
      call(signature, thief, 5n, more),
      'recipient_not_allowed',
      toFriend,
    ] as const,
  ]),
)

const others = callCases('a token that is a contract too', [
  ['a method that is not known', token, '0x12345678', 'contract_call_not_allowed', both()],
  ['a method that is named', token, '0x12345678', 'allowed', both(['0x12345678']), { spends: once }],
  [
    'a method that one layer names and another does not',
    token,
    '0x12345678',
    'contract_call_not_allowed',
    { agent: { ...both().session }, session: { ...both(['0x12345678']).session } },
  ],
  ['assets of a vault, as many shares as it takes', token, assets, 'contract_call_not_allowed', both()],
  ['such assets, named', token, assets, 'allowed', both([selector(assets)]), { spends: once }],
  ['a call without a method', token, '0x1234', 'contract_call_not_allowed', both()],
  ['shares that are redeemed for a stranger', token, redeem(5n, thief), 'recipient_not_allowed', toFriend],
  ['shares that are redeemed for a recipient', token, redeem(5n, friend), 'allowed', toFriend, paid],
  ['shares that are redeemed for the wallet', token, redeem(5n, wallet), 'allowed', toFriend, paid],
  [
    'shares in a list of transfers to a stranger',
    token,
    call('batchTransfer(address[],uint256[])', [friend, thief], [1n, 1n]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'ether that is wrapped',
    token,
    call('deposit()'),
    'allowed',
    both(undefined, { max_spend_per_tx_native: '10' }),
    { value: 10n, spends: { ...nativeSpend(10n), ...once } },
  ],
  [
    'ether that is wrapped, over the cap',
    token,
    call('deposit()'),
    'per_tx_cap_exceeded',
    both(undefined, { max_spend_per_tx_native: '10' }),
    { value: 11n },
  ],
  ['votes', token, call('delegate(address)', thief), 'allowed', both(), { spends: once }],
  ['votes for a recipient', token, call('delegate(address)', friend), 'allowed', toFriend, { spends: once }],
  ['votes for a stranger', token, call('delegate(address)', thief), 'recipient_not_allowed', toFriend],
  [
    'a token that another layer does not list',
    token,
    call('deposit()'),
    'contract_call_not_allowed',
    { agent: { ...both().session }, session: { allowed_tokens: [] } },
  ],
  [
    'a token where none may move',
    token,
    call('withdraw(uint256)', 1n),
    'contract_call_not_allowed',
    { ...both(), organization: { token_mode: 'none' } },
  ],
  ['tokens by a bridge', contract, bridge(token, wallet), 'allowed', toFriend, paid],
  ['tokens by a bridge to a stranger', contract, bridge(token, thief), 'recipient_not_allowed', toFriend],
  ['another token by a bridge', contract, bridge(otherToken, wallet), 'token_not_allowed', toFriend],
  [
    'ether by a bridge',
    contract,
    call('withdraw(address,uint256,uint32,bytes)', `0x${'dead'.repeat(9)}0000`, 5n, 0, '0x'),
    'allowed',
    toFriend,
    { value: 5n, spends: { ...nativeSpend(5n), ...once } },
  ],
])

/** One contract with all its methods and one recipient, or one who is blocked. */
const onlyFriend: CorpusLayers = {
  session: { allowed_recipients: [friend], allowed_contracts: [{ chain: 'base', address: contract }] },
}
const notThief: CorpusLayers = {
  organization: { blocked_recipients: [thief.toLowerCase()] },
  session: { allowed_contracts: [{ chain: 'base', address: contract }] },
}
const swapped = (to: Hex) =>
  call('exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
    token,
    otherToken,
    500,
    to,
    5n,
    1n,
    0n,
  ])

const received = callCases(
  'the proceeds of a contract call',
  (
    [
      ['deposited shares', (to: Hex) => call('deposit(uint256,address)', 5n, to)],
      ['minted shares', (to: Hex) => call('mint(uint256,address)', 5n, to)],
      ['withdrawn assets', (to: Hex) => call('withdraw(uint256,address,address)', 5n, to, wallet)],
      ['redeemed shares', (to: Hex) => redeem(5n, to)],
      ['an unwrapped token', (to: Hex) => call('withdrawTo(address,uint256)', to, 5n)],
      ['what burnt shares pay', (to: Hex) => call('burn(address,uint256)', to, 5n)],
      ['a supply to a pool', (to: Hex) => call('supply(address,uint256,address,uint16)', token, 5n, to, 0)],
      ['a withdrawal from a pool', (to: Hex) => call('withdraw(address,uint256,address)', token, 5n, to)],
      ['a swap', swapped],
    ] as const
  ).flatMap(([name, made]) => [
    [`${name} for the wallet`, contract, made(wallet), 'allowed', onlyFriend, { spends: once }] as const,
    [`${name} for a recipient`, contract, made(friend), 'allowed', onlyFriend, { spends: once }] as const,
    [`${name} for a stranger`, contract, made(thief), 'recipient_not_allowed', onlyFriend] as const,
    [`${name} for one who is blocked`, contract, made(thief), 'recipient_blocked', notThief] as const,
    [`${name} for one who is not`, contract, made(friend), 'allowed', notThief, { spends: once }] as const,
  ]),
)

/** A contract reads its arguments and leaves what stands behind them. */
const padded = callCases(
  'a byte behind the arguments, named',
  (
    [
      ['burn(uint256)', 5n],
      ['burnFrom(address,uint256)', wallet, 5n],
      ['deposit(uint256,address)', 5n, thief],
      ['redeem(uint256,address,address)', 5n, thief, wallet],
      ['withdrawTo(address,uint256)', thief, 5n],
      ['batchTransfer(address[],uint256[])', [thief], [5n]],
      ['multiTransfer(address[],uint256[])', [thief], [5n]],
      ['bridgeERC20To(address,address,address,uint256,uint32,bytes)', token, token, thief, 5n, 1, '0x'],
      ['withdrawTo(address,address,uint256,uint32,bytes)', token, thief, 5n, 1, '0x'],
    ] as const
  ).map(([signature, ...args]) => {
    const data = call(signature, ...args)
    return [
      signature,
      token,
      `${data}00` as const,
      'payload_undecodable',
      both([selector(data)], { allowed_recipients: [friend] }),
    ] as const
  }),
)

/** Tokens that leave by other methods than those of ERC-20. */
export const evmTokenCalls: readonly CorpusCase[] = [
  ...counted,
  ...noted,
  ...moved,
  ...others,
  ...received,
  ...padded,
]
