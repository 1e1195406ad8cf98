import { p2pk, p2wpkh, p2wsh, Script, SigHash } from '@scure/btc-signer'
import {
  capped,
  change,
  cost,
  data,
  edited,
  fieldOf,
  friend,
  other,
  otherTaproot,
  own,
  ownTaproot,
  type PsbtEdit,
  pay,
  psbt,
  toFriend,
  wallet,
  withData,
} from './bitcoin-payloads.ts'
import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const taproot = { script: ownTaproot.script }
const foreign = { script: other.script }
/** A total that has room for what is sent, and 2,000 satoshi more. */
const total = session({ max_spend_total_native: '52000', max_fee_per_tx_native: '100000' })
const million = { amount: 1_000_000n }

const fees: readonly TransactionRow[] = [
  ['a fee that alone is over the total', () => psbt([{}], [change(47_999n)]), 'total_cap_exceeded', total],
  [
    'a payment whose fee is over the total',
    () => psbt([{}], [pay(50_000n), change(47_999n)]),
    'total_cap_exceeded',
    total,
  ],
  [
    'a payment that is within the total with its fee',
    () => psbt([{}], [pay(50_000n), change(48_000n)]),
    'allowed',
    total,
    cost(50_000n),
  ],
  [
    'all but dust to the miners, where nobody caps fees',
    () => psbt([million], [pay(546n)]),
    'fee_cap_exceeded',
    session({}),
  ],
  [
    'the ceiling of the chain',
    () => psbt([million], [pay(546n), change(899_454n)]),
    'allowed',
    session({}),
    cost(546n),
  ],
  [
    'one satoshi over the ceiling of the chain',
    () => psbt([million], [pay(546n), change(899_453n)]),
    'fee_cap_exceeded',
    session({}),
  ],
  [
    'a fee over the organization’s cap, where the session has none',
    () => psbt([{}], [pay(50_000n), change(48_999n)]),
    'fee_cap_exceeded',
    { organization: { token_mode: 'any', max_fee_per_tx_native_cap: '1000' }, session: {} },
  ],
  [
    'a fee of coins of others too, which is counted whole',
    () => psbt([{}, foreign], [pay(50_000n), change(49_000n), [other.script, 90_000n]]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a fee that only coins of another pay',
    () => psbt([{}, foreign], [change(100_000n), pay(40_000n)]),
    'fee_cap_exceeded',
    capped,
  ],
  ['no fee at all', () => psbt([{}], [pay(50_000n), change(50_000n)]), 'allowed', capped, cost(50_000n)],
]

const outputs: readonly TransactionRow[] = [
  [
    'many outputs of dust, over the cap together',
    () => psbt([{}], [...Array.from({ length: 92 }, () => pay(546n)), change(48_700n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'an output of nothing to somebody who is not allowed',
    () => psbt([{}], [pay(0n, otherTaproot.script), change(99_000n)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'change that is nearly ours: the hash of another key',
    () => psbt([{}], [pay(1n), [p2wpkh(friend).script, 99_000n]]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'change to a witness script of the own key',
    () => psbt([{}], [pay(1n), [p2wsh(p2pk(wallet)).script, 99_000n]]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'change to the old form of the own address',
    () =>
      psbt(
        [{}],
        [
          pay(1n),
          [Script.encode(['DUP', 'HASH160', own.script.slice(2), 'EQUALVERIFY', 'CHECKSIG']), 99_000n],
        ],
      ),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'change to the own key in a bare script with a lock',
    () =>
      psbt(
        [{}],
        [pay(1n), [Script.encode([1000, 'CHECKLOCKTIMEVERIFY', 'DROP', wallet, 'CHECKSIG']), 99_000n]],
      ),
    'payload_undecodable',
    capped,
  ],
  [
    'change to another, where recipients are listed',
    () => psbt([{}], [pay(1n), change(99_000n, otherTaproot.script)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'all that is left burnt with allowed data, where recipients are listed',
    () => psbt([{}], [data(99_000n)]),
    'per_tx_cap_exceeded',
    session({
      allowed_contracts: [{ chain: 'bitcoin', address: 'OP_RETURN' }],
      max_spend_per_tx_native: '50000',
    }),
  ],
  [
    'data beside data that is allowed, each burning half of the cap and more',
    () => psbt([{}], [data(25_001n), data(25_000n, 'again'), change(49_000n)]),
    'per_tx_cap_exceeded',
    session({ ...withData.session, max_spend_per_tx_native: '50000' }),
  ],
]

const hashTypes = (
  [
    ['NONE', SigHash.NONE],
    ['SINGLE', SigHash.SINGLE],
    ['NONE for anybody', SigHash.NONE_ANYONECANPAY],
    ['SINGLE for anybody', SigHash.SINGLE_ANYONECANPAY],
    ['ALL for anybody', SigHash.ALL_ANYONECANPAY],
  ] as const
).flatMap(([name, sighash]): TransactionRow[] => [
  [
    `a taproot coin with ${name}`,
    () => psbt([{ ...taproot, sighash }], [pay(50_000n), change(49_000n)]),
    'invalid',
  ],
  [
    `${name} of the second coin alone`,
    () => psbt([{}, { sighash }], [pay(50_000n), change(149_000n)]),
    'invalid',
  ],
])

const number = (value: number) => new Uint8Array(new Uint32Array([value]).buffer)
/** A payment of one coin with its previous transaction, and other fields than that has. */
const oneWith = (...edits: readonly PsbtEdit[]) => edited(onePaid(), 0, edits)
const onePaid = () => psbt([{ isProven: true }], [pay(50_000n), change(49_000n)])
const taprootWith = (...edits: readonly PsbtEdit[]) =>
  edited(psbt([taproot], [pay(50_000n), change(49_000n)]), 0, edits)
/** What an input says it spends, of another amount. */
const claimed = (amount: bigint, script = own.script) => fieldOf(psbt([{ amount, script }], [pay(1n)]), 0, 1)
const otherPrevious = () => fieldOf(psbt([{ amount: 60_000n, isProven: true }], [pay(1n)]), 0, 0)

const inputs: readonly TransactionRow[] = [
  ...hashTypes,
  ['a hash type that nobody knows', () => oneWith([3, number(0x101)]), 'invalid'],
  ['DEFAULT for a coin that is not taproot', () => oneWith([3, number(0)]), 'invalid'],
  ['a previous output of a lower amount than was proven', () => oneWith([1, claimed(51_000n)]), 'invalid'],
  ['another previous transaction', () => oneWith([0, otherPrevious()]), 'invalid'],
  ['another previous transaction alone', () => oneWith([0, otherPrevious()], [1]), 'invalid'],
  ['neither previous output nor transaction', () => oneWith([0], [1]), 'invalid'],
  ['a previous transaction without its output’s copy', () => oneWith([1]), 'allowed', capped, cost(50_000n)],
  ['a redeem script for an own coin', () => oneWith([4, Uint8Array.of(0x51)]), 'invalid'],
  ['a witness script for an own coin', () => oneWith([5, Uint8Array.of(0x51)]), 'invalid'],
  ['another internal key of a taproot coin', () => taprootWith([23, friend.slice(1)]), 'invalid'],
  ['scripts behind a taproot coin', () => taprootWith([24, new Uint8Array(32).fill(1)]), 'invalid'],
  [
    'an own coin that is finished, with an annex in its witness, as the only one',
    () => taprootWith([8, Uint8Array.of(2, 1, 1, 2, 0x50, 1)]),
    'invalid',
  ],
  [
    'an own coin that is called finished hides its fee',
    () =>
      edited(psbt([{}, { ...million, isProven: false }], [pay(50_000n), change(49_000n)]), 1, [
        [8, Uint8Array.of(1, 1, 1)],
        [1, claimed(1n)],
      ]),
    'invalid',
  ],
  [
    'an own coin that is finished and proven, whose amount goes to the miners',
    () => edited(psbt([{}, million], [pay(50_000n), change(49_000n)]), 1, [[8, Uint8Array.of(1, 1, 1)]]),
    'fee_cap_exceeded',
    capped,
  ],
  [
    'a coin of another beside taproot, with an amount that nothing proves, to the miners',
    () => psbt([taproot, { ...foreign, ...million, isProven: false }], [pay(50_000n), change(49_000n)]),
    'fee_cap_exceeded',
    capped,
  ],
  [
    'a coin of another that takes part in what the wallet may spend',
    () => psbt([taproot, { ...foreign, amount: 10_000n }], [pay(59_000n), change(50_000n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
]

/** The same coin twice, by an unsigned transaction that lists it twice: its second input is the first one’s copy. */
function doubled(): Uint8Array {
  const bytes = psbt([{}, {}], [pay(50_000n), change(149_000n)])
  const [first, second] = [0, 1].map((at) => outpointOf(bytes, at))
  if (first === undefined || second === undefined) throw new Error('there are two inputs')
  const twice = Uint8Array.from(bytes)
  twice.set(bytes.slice(first, first + 36), second)
  return edited(twice, 1, [
    [0, fieldOf(bytes, 0, 0)],
    [1, fieldOf(bytes, 0, 1)],
  ])
}

/** Where an input names its coin, in the unsigned transaction of a PSBT of version 0 of few inputs without scripts. */
function outpointOf(bytes: Uint8Array, at: number): number {
  const unsigned = 5 + 2 + ((bytes[7] ?? 0) < 0xfd ? 1 : 3)
  return unsigned + 4 + 1 + at * 41
}

/** Bitcoin: fees, dust, change that is nearly ours, hash types, and inputs that are not what they say. */
export const bitcoinFeeCases: readonly CorpusCase[] = transactionCases('bitcoin', [
  ...fees,
  ...outputs,
  ...inputs,
  ['a coin that is there twice', doubled, 'invalid'],
])
