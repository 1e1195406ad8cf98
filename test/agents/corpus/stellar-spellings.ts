import { Asset, LiquidityPoolAsset, Networks, nativeToScVal, Operation } from '@stellar/stellar-base'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import {
  balanceOf,
  contract,
  friend,
  i128,
  invoke,
  issuer,
  native,
  nativeContract,
  party,
  pay,
  prepared,
  sent,
  tokenCost,
  usd,
  usdId,
  wallet,
  xlm,
} from './stellar-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const long = new Asset('LONGCODE1234', issuer)
const longContract = long.contractId(Networks.PUBLIC)
const testContract = usd.contractId(Networks.TESTNET)
const moved = (amount: bigint, on = contract) =>
  invoke('transfer', [party(wallet), party(friend), i128(amount)], on)
const listed = (token: string, more = {}) =>
  session({ allowed_tokens: [{ chain: 'stellar', token, ...more }] })
const capped = (token: string) => listed(token, { max_per_tx: '500' })
const total = (token: string) => listed(token, { max_total: '700' })
const blocked = (name: string): CorpusLayers => ({
  organization: { token_mode: 'any', blocked_recipients: [name] },
})

/** An asset, what it is called, and under which of its names the layers have it. */
type Spelling = { what: string; name: string; onChain: string; asset: Asset }

/** Each of two assets under both of its names: the same has to become of what moves it in either way. */
const spellings: readonly Spelling[] = (
  [
    ['an asset', usdId, contract, usd],
    ['an asset of a long code', `LONGCODE1234:${issuer}`, longContract, long],
  ] as const
).flatMap(([what, id, onChain, asset]) => [
  { what: `${what} by its name`, name: id, onChain, asset },
  { what: `${what} by its contract`, name: onChain, onChain, asset },
])

const nine = nativeToScVal(9, { type: 'u32' })

function listedRows({ what, name, onChain, asset }: Spelling): TransactionRow[] {
  const cost = tokenCost(onChain, 500n)
  const transfer = [party(wallet), party(friend), i128(500n)]
  return [
    [`paid: ${what}`, () => sent([pay('0.00005', friend, asset)]), 'allowed', capped(name), cost],
    [`moved by its contract: ${what}`, () => moved(500n, onChain), 'allowed', capped(name), cost],
    [
      `moved by its contract with its balances named: ${what}`,
      () => prepared('transfer', transfer, onChain, [balanceOf(wallet, asset)]),
      'allowed',
      capped(name),
      cost,
    ],
    [
      `paid over the cap: ${what}`,
      () => sent([pay('0.0000501', friend, asset)]),
      'token_cap_exceeded',
      capped(name),
    ],
    [
      `moved over the cap by its contract: ${what}`,
      () => moved(501n, onChain),
      'token_cap_exceeded',
      capped(name),
    ],
    [
      `approved over the cap by its contract: ${what}`,
      () => invoke('approve', [party(wallet), party(friend), i128(501n), nine], onChain),
      'token_cap_exceeded',
      capped(name),
    ],
    [
      `burnt over the total by its contract: ${what}`,
      () => invoke('burn', [party(wallet), i128(701n)], onChain),
      'token_cap_exceeded',
      total(name),
    ],
  ]
}

function blockedRows({ what, name, onChain, asset }: Spelling): TransactionRow[] {
  const callable = { session: { allowed_contracts: [{ chain: 'stellar', address: onChain }] } }
  return [
    [
      `blocked and paid: ${what}`,
      () => sent([pay('0.0000001', friend, asset)]),
      'recipient_blocked',
      blocked(name),
    ],
    [
      `blocked and moved by its contract: ${what}`,
      () => moved(1n, onChain),
      'recipient_blocked',
      blocked(name),
    ],
    [
      `blocked and its contract called: ${what}`,
      () => invoke('ping', [], onChain),
      'recipient_blocked',
      { ...blocked(name), ...callable },
    ],
  ]
}

const nativeNames = [
  ['by its symbol', 'XLM'],
  ['as native', 'native'],
  ['by its contract', nativeContract],
] as const
const natives = nativeNames.flatMap(([how, name]): TransactionRow[] => [
  [`XLM listed ${how}, paid`, () => sent([pay('0.00005')]), 'allowed', capped(name), xlm(500n)],
  [
    `XLM listed ${how}, paid over the cap`,
    () => sent([pay('0.0000501')]),
    'token_cap_exceeded',
    capped(name),
  ],
  [
    `XLM listed ${how}, moved over the cap by its contract`,
    () => moved(501n, nativeContract),
    'token_cap_exceeded',
    capped(name),
  ],
  [
    `XLM listed ${how}, over the total with its fee`,
    () => sent([pay('0.0000601')]),
    'token_cap_exceeded',
    total(name),
  ],
  [
    `XLM listed ${how}, where no token may move`,
    () => sent([pay('0.0000501')]),
    'token_cap_exceeded',
    { ...capped(name), organization: { token_mode: 'none' } },
  ],
  [
    `XLM listed ${how}, where the agent lists another token`,
    () => moved(501n, nativeContract),
    'token_cap_exceeded',
    { ...capped(name), agent: { allowed_tokens: [{ chain: 'stellar', token: usdId }] } },
  ],
])

const rows: readonly TransactionRow[] = [
  ...spellings.flatMap(listedRows),
  ...spellings.flatMap(blockedRows),
  ...natives,
  [
    'an asset that its list names twice, under the cap of its other name',
    () => moved(501n),
    'token_cap_exceeded',
    session({
      allowed_tokens: [
        { chain: 'stellar', token: usdId, max_per_tx: '500' },
        { chain: 'stellar', token: contract, max_per_tx: '900' },
      ],
    }),
  ],
  [
    'an asset that agent and session name differently',
    () => moved(500n),
    'allowed',
    { ...capped(usdId), agent: { allowed_tokens: [{ chain: 'stellar', token: contract }] } },
    tokenCost(contract, 500n),
  ],
  [
    'an unread method of the contract of an asset listed by its name',
    () => invoke('redeem', [party(wallet), i128(5n)]),
    'contract_call_not_allowed',
    session({
      allowed_tokens: [{ chain: 'stellar', token: usdId }],
      allowed_contracts: [{ chain: 'stellar', address: contract }],
    }),
  ],
  [
    'the contract that the asset has on the test network',
    () => moved(1n, testContract),
    'token_not_allowed',
    capped(usdId),
  ],
  [
    'an asset of another issuer by its contract',
    () => moved(1n, new Asset('USD', friend).contractId(Networks.PUBLIC)),
    'token_not_allowed',
    capped(usdId),
  ],
  [
    'a native payment where its contract is blocked',
    () => sent([pay('0.0000001')]),
    'recipient_blocked',
    blocked(nativeContract),
  ],
  [
    'trust in an asset listed by its contract',
    () => sent([Operation.changeTrust({ asset: usd })]),
    'allowed',
    listed(contract),
    { 'native XLM/7': 5_000_000n, transactions: 1n },
  ],
  [
    'trust in shares of a pool that is listed',
    () => sent([Operation.changeTrust({ asset: new LiquidityPoolAsset(native, usd, 30) })]),
    'approval_not_allowed',
    listed(`XLM/${usdId}/30`),
  ],
]

/** Stellar: one asset under each of its names, in policies and in payloads. */
export const stellarSpellingCases: readonly CorpusCase[] = transactionCases('stellar', rows)
