import { p2sh, p2tr, p2wpkh, Script, SigHash, Transaction } from '@scure/btc-signer'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const wallet = testKey('secp256k1', 1).publicKey
const friend = testKey('secp256k1', 2).publicKey
const own = p2wpkh(wallet)
const ownTaproot = p2tr(wallet.slice(1))
const other = p2wpkh(friend)
const otherTaproot = p2tr(friend.slice(1))
const friendAddress = other.address ?? ''
const friendTestAddress =
  p2wpkh(friend, { bech32: 'tb', pubKeyHash: 111, scriptHash: 196, wif: 239 }).address ?? ''

type Coin = {
  script?: Uint8Array
  amount?: bigint
  isProven?: boolean
  sighash?: number
  isUnknown?: true
}
type Output = readonly [script: Uint8Array, amount: bigint]

/** A PSBT of coins (100,000 satoshi of the wallet's unless said) and outputs. */
function psbt(coins: readonly Coin[], outputs: readonly Output[], version: 0 | 2 = 0): Uint8Array {
  const transaction = new Transaction({ PSBTVersion: version, allowUnknownOutputs: true, version: 2 })
  for (const [at, coin] of coins.entries()) {
    const { script = own.script, amount = 100_000n, isProven = coins.length > 1, sighash, isUnknown } = coin
    const previous = new Transaction({ allowUnknownOutputs: true })
    previous.addInput({ txid: new Uint8Array(32).fill(at + 1), index: at })
    previous.addOutput({ script, amount })
    transaction.addInput({
      txid: previous.id,
      index: 0,
      ...(!isUnknown && { witnessUtxo: { script, amount } }),
      ...(isProven && !isUnknown && { nonWitnessUtxo: previous.unsignedTx }),
      ...(sighash !== undefined && { sighashType: sighash }),
    })
  }
  for (const [script, amount] of outputs) transaction.addOutput({ script, amount })
  return transaction.toPSBT(version)
}

const pay = (amount: bigint, script = other.script): Output => [script, amount]
const change = (amount: bigint, script = own.script): Output => [script, amount]
const data = (amount: bigint, text = 'hello'): Output => [
  Script.encode(['RETURN', new TextEncoder().encode(text)]),
  amount,
]
const toFriend = session({ allowed_recipients: [friendAddress] })
const capped = session({ max_spend_per_tx_native: '50000', max_fee_per_tx_native: '2000' })
const withData = session({ allowed_contracts: [{ chain: 'bitcoin', address: 'OP_RETURN' }] })
const cost = (amount: bigint) => ({ 'native BTC/8': amount, transactions: 1n })

const rows: readonly TransactionRow[] = [
  [
    'a payment with change',
    () => psbt([{}], [pay(50_000n), change(49_000n)]),
    'allowed',
    capped,
    cost(50_000n),
  ],
  [
    'change to taproot of the own key',
    () => psbt([{}], [pay(1n), change(99_000n, ownTaproot.script)]),
    'allowed',
    capped,
    cost(1n),
  ],
  ['all within the wallet', () => psbt([{}], [change(99_000n)]), 'allowed', capped, { transactions: 1n }],
  [
    'two coins of the wallet',
    () => psbt([{}, {}], [pay(50_000n), change(149_000n)]),
    'allowed',
    capped,
    cost(50_000n),
  ],
  [
    'a taproot coin',
    () => psbt([{ script: ownTaproot.script }], [pay(50_000n), change(49_000n)]),
    'allowed',
    capped,
    cost(50_000n),
  ],
  [
    'version 2 of the PSBT',
    () => psbt([{}], [pay(50_000n), change(49_000n)], 2),
    'allowed',
    capped,
    cost(50_000n),
  ],
  [
    'one satoshi over the cap',
    () => psbt([{}], [pay(50_001n), change(48_999n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'two payments that are over the cap together',
    () => psbt([{}], [pay(30_000n), pay(30_000n, otherTaproot.script), change(39_000n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'the same recipient twice, over the cap together',
    () => psbt([{}], [pay(30_000n), pay(30_000n), change(39_000n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'change to another key',
    () => psbt([{}], [pay(50_000n), change(49_000n, otherTaproot.script)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'change to a wrapped script of the own key',
    () => psbt([{}], [pay(1n), change(99_000n, p2sh(own).script)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'change to the untweaked own key',
    () => psbt([{}], [pay(1n), change(99_000n, Uint8Array.of(0x51, 32, ...wallet.slice(1)))]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['all to the miners', () => psbt([{}], [pay(1_000n)]), 'fee_cap_exceeded', capped],
  [
    'a fee of one satoshi over the cap',
    () => psbt([{}], [pay(50_000n), change(47_999n)]),
    'fee_cap_exceeded',
    capped,
  ],
  ['a fee of the cap', () => psbt([{}], [pay(50_000n), change(48_000n)]), 'allowed', capped, cost(50_000n)],
  [
    'an allowed recipient',
    () => psbt([{}], [pay(50_000n), change(49_000n)]),
    'allowed',
    toFriend,
    cost(50_000n),
  ],
  [
    'an allowed recipient written in upper case',
    () => psbt([{}], [pay(50_000n)]),
    'allowed',
    session({ allowed_recipients: [friendAddress.toUpperCase()] }),
    cost(50_000n),
  ],
  [
    'an allowed recipient written for the test network',
    () => psbt([{}], [pay(50_000n)]),
    'allowed',
    session({ allowed_recipients: [friendTestAddress] }),
    cost(50_000n),
  ],
  [
    'the taproot address of an allowed recipient',
    () => psbt([{}], [pay(50_000n, otherTaproot.script)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'a second recipient behind an allowed one',
    () => psbt([{}], [pay(50_000n), pay(1n, otherTaproot.script)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'a blocked recipient written for the test network',
    () => psbt([{}], [pay(50_000n)]),
    'recipient_blocked',
    { organization: { blocked_recipients: [friendTestAddress] } },
  ],
  ['data that is published', () => psbt([{}], [data(0n), change(99_000n)]), 'contract_call_not_allowed'],
  [
    'a token order beside an allowed payment',
    () => psbt([{}], [pay(1_000n), data(0n, 'omni'), change(98_000n)]),
    'contract_call_not_allowed',
    toFriend,
  ],
  [
    'data that the policy allows',
    () => psbt([{}], [data(0n), change(99_000n)]),
    'allowed',
    withData,
    { transactions: 1n },
  ],
  [
    'coins that are burnt with allowed data',
    () => psbt([{}], [data(60_000n), change(39_000n)]),
    'per_tx_cap_exceeded',
    session({
      allowed_contracts: [{ chain: 'bitcoin', address: 'OP_RETURN' }],
      max_spend_per_tx_native: '50000',
    }),
  ],
  [
    'a script without an address',
    () => psbt([{}], [[Script.encode([1]), 50_000n], change(49_000n)]),
    'payload_undecodable',
  ],
  [
    'a script that anybody can spend',
    () => psbt([{}], [[Script.encode(['SIZE', 'DROP', 'OP_1']), 50_000n]]),
    'payload_undecodable',
  ],
  [
    'a future witness version',
    () => psbt([{}], [[Uint8Array.of(0x52, 32, ...new Uint8Array(32).fill(3)), 50_000n]]),
    'payload_undecodable',
  ],
  ['no previous output', () => psbt([{ isUnknown: true }], [pay(50_000n)]), 'invalid'],
  [
    'two coins of which one is not proven',
    () => psbt([{}, { isProven: false }], [pay(50_000n), change(149_000n)]),
    'invalid',
  ],
  ['more out than in', () => psbt([{}], [pay(100_001n)]), 'invalid'],
  ['SIGHASH_NONE', () => psbt([{ sighash: SigHash.NONE }], [pay(50_000n)]), 'invalid'],
  ['SIGHASH_SINGLE', () => psbt([{ sighash: SigHash.SINGLE }], [pay(50_000n)]), 'invalid'],
  ['SIGHASH_ALL for anybody', () => psbt([{ sighash: SigHash.ALL_ANYONECANPAY }], [pay(50_000n)]), 'invalid'],
  ['only coins of others', () => psbt([{ script: other.script }], [pay(50_000n)]), 'invalid'],
  [
    'a coin of another beside one of the wallet',
    () => psbt([{}, { script: other.script }], [pay(50_000n), change(149_000n)]),
    'allowed',
    capped,
    cost(50_000n),
  ],
  [
    'a coin of another that nothing proves',
    () => psbt([{ isProven: true }, { script: other.script, isProven: false }], [change(100_000n)]),
    'invalid',
    capped,
  ],
  [
    'a coin of another hides what the wallet pays',
    () => psbt([{}, { script: other.script, amount: 1_000_000n }], [pay(1_000_000n), change(99_000n)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['no PSBT at all', () => Uint8Array.of(1, 2, 3), 'invalid'],
]

const testRows: readonly TransactionRow[] = [
  [
    'bytes of the test network, where only the main one is allowed',
    () => psbt([{}], [pay(50_000n)]),
    'allowed',
    session({ allowed_chains: ['bitcoin'] }),
    cost(50_000n),
  ],
  [
    'the test network while the main one is blocked',
    () => psbt([{}], [pay(50_000n)]),
    'chain_blocked',
    { organization: { blocked_chains: ['bitcoin'] } },
  ],
  [
    'a recipient by the main network’s address',
    () => psbt([{}], [pay(50_000n)]),
    'allowed',
    toFriend,
    cost(50_000n),
  ],
  [
    'a blocked recipient by the main network’s address',
    () => psbt([{}], [pay(50_000n)]),
    'recipient_blocked',
    { organization: { blocked_recipients: [friendAddress] } },
  ],
]

/** Bitcoin: change, fees, scripts, hash types, coins of others. */
export const bitcoinCases: readonly CorpusCase[] = [
  ...transactionCases('bitcoin', rows),
  ...transactionCases('bitcoin-testnet', testRows),
]
