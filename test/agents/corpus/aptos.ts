import {
  AccountAddress,
  FeePayerRawTransaction,
  MoveVector,
  MultiAgentRawTransaction,
  U64,
} from '@aptos-labs/ts-sdk'
import {
  allowed,
  apt,
  asset,
  call,
  capped,
  coin,
  coinOnly,
  cost,
  dex,
  entry,
  friend,
  friendText,
  paired,
  raw,
  sender,
  sent,
  small,
  thief,
  toFriend,
  tokenCost,
  usdc,
  usdcOnly,
} from './aptos-payloads.ts'
import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const pairedCost = (amount: bigint) => tokenCost(`0x${paired.slice(2).replace(/^0+/, '')}`, amount)

const rows: readonly TransactionRow[] = [
  ['APT', () => sent(1000), 'allowed', capped, cost(1000n)],
  ['one octa over the cap', () => sent(1001), 'per_tx_cap_exceeded', capped],
  [
    'APT as a coin',
    () => call('0x1::coin::transfer', [friend, new U64(1001)], [apt]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'APT as a coin by another function',
    () => call('0x1::aptos_account::transfer_coins', [friend, new U64(1001)], [apt]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['APT as a fungible asset', () => asset(1001, friend, '0xa'), 'per_tx_cap_exceeded', capped],
  [
    'APT from its store only',
    () => call('0x1::aptos_account::fungible_transfer_only', [friend, new U64(1001)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'APT to many, over the cap together',
    () =>
      call('0x1::aptos_account::batch_transfer', [
        new MoveVector([friend, friend]),
        MoveVector.U64([600, 600]),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'one of many who is not allowed',
    () =>
      call('0x1::aptos_account::batch_transfer', [new MoveVector([friend, thief]), MoveVector.U64([1, 1])]),
    'recipient_not_allowed',
    toFriend,
  ],
  ['APT to an allowed recipient', () => sent(5), 'allowed', toFriend, cost(5n)],
  [
    'APT to a recipient that is listed without its zeros',
    () => sent(5, small),
    'allowed',
    session({ allowed_recipients: [`0x${'B'.repeat(62)}`] }),
    cost(5n),
  ],
  ['APT to another', () => sent(5, thief), 'recipient_not_allowed', toFriend],
  [
    'a recipient that is blocked without its zeros',
    () => sent(5, small),
    'recipient_blocked',
    { organization: { blocked_recipients: [`0x${'b'.repeat(62)}`] } },
  ],
  ['gas within the cap', () => sent(1, friend, { gas: 2000n, price: 100n }), 'allowed', capped, cost(1n)],
  ['gas over the cap', () => sent(1, friend, { gas: 2000n, price: 101n }), 'fee_cap_exceeded', capped],
  [
    'gas that another pays',
    () =>
      new FeePayerRawTransaction(
        raw(entry('0x1::aptos_account::transfer', [friend, new U64(1)]), { price: 10_000n }),
        [],
        thief,
      ).bcsToBytes(),
    'allowed',
    capped,
    cost(1n),
  ],
  [
    'gas that the wallet pays for itself',
    () =>
      new FeePayerRawTransaction(
        raw(entry('0x1::aptos_account::transfer', [friend, new U64(1)]), { price: 10_000n }),
        [],
        sender,
      ).bcsToBytes(),
    'fee_cap_exceeded',
    capped,
  ],
  [
    'further signers',
    () =>
      new MultiAgentRawTransaction(raw(entry('0x1::aptos_account::transfer', [friend, new U64(1)])), [
        thief,
      ]).bcsToBytes(),
    'payload_undecodable',
    capped,
  ],
  [
    'further signers of an allowed contract',
    () => new MultiAgentRawTransaction(raw(entry(`${dex}::pool::swap`, [])), [thief]).bcsToBytes(),
    'payload_undecodable',
    allowed,
  ],
  ['a fungible asset', () => asset(500), 'allowed', usdcOnly, tokenCost(usdc, 500n)],
  ['a fungible asset over its cap', () => asset(501), 'token_cap_exceeded', usdcOnly],
  [
    'a fungible asset by another function',
    () =>
      call('0x1::aptos_account::transfer_fungible_assets', [AccountAddress.from(usdc), friend, new U64(501)]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  [
    'a fungible asset to many, over its cap together',
    () =>
      call('0x1::aptos_account::batch_transfer_fungible_assets', [
        AccountAddress.from(usdc),
        new MoveVector([friend, friend]),
        MoveVector.U64([300, 300]),
      ]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  ['another fungible asset', () => asset(1, friend, dex), 'token_not_allowed', usdcOnly],
  ['a fungible asset where none is listed', () => asset(1), 'token_not_allowed', { session: {} }],
  [
    'a fungible asset to another',
    () => asset(1, thief),
    'recipient_not_allowed',
    session({ ...usdcOnly.session, allowed_recipients: [friendText] }),
  ],
  [
    'a coin',
    () => call('0x1::coin::transfer', [friend, new U64(500)], [coin]),
    'allowed',
    coinOnly,
    pairedCost(500n),
  ],
  [
    'a coin as the fungible asset paired with it',
    () => asset(500, friend, paired),
    'allowed',
    coinOnly,
    pairedCost(500n),
  ],
  [
    'a coin over its cap as the fungible asset paired with it',
    () => asset(501, friend, paired),
    'token_cap_exceeded',
    coinOnly,
  ],
  [
    'a coin over the cap of the fungible asset paired with it',
    () => call('0x1::coin::transfer', [friend, new U64(501)], [coin]),
    'token_cap_exceeded',
    session({ allowed_tokens: [{ chain: 'aptos', token: paired, max_per_tx: '500' }] }),
  ],
  [
    'a coin where the fungible asset paired with it is blocked',
    () => call('0x1::coin::transfer', [friend, new U64(1)], [coin]),
    'recipient_blocked',
    { organization: { token_mode: 'any', blocked_recipients: [paired] } },
  ],
  [
    'a fungible asset where the coin paired with it is blocked, in another spelling',
    () => asset(1, friend, paired),
    'recipient_blocked',
    { organization: { token_mode: 'any', blocked_recipients: [coin.replace(dex, dex.toUpperCase())] } },
  ],
  [
    'APT as a fungible asset under the cap of its coin, spelled with zeros',
    () => asset(501, friend, '0xa'),
    'token_cap_exceeded',
    session({
      allowed_tokens: [{ chain: 'aptos', token: '0x001::aptos_coin::AptosCoin', max_per_tx: '500' }],
    }),
  ],
  [
    'a coin over its cap',
    () => call('0x1::coin::transfer', [friend, new U64(501)], [coin]),
    'token_cap_exceeded',
    coinOnly,
  ],
  [
    'coins to many, over the cap together',
    () =>
      call(
        '0x1::aptos_account::batch_transfer_coins',
        [new MoveVector([friend, friend]), MoveVector.U64([300, 300])],
        [coin],
      ),
    'token_cap_exceeded',
    coinOnly,
  ],
  [
    'another coin',
    () => call('0x1::coin::transfer', [friend, new U64(1)], [`${dex}::coin::Other`]),
    'token_not_allowed',
    coinOnly,
  ],
]

const testnetRows: readonly TransactionRow[] = [
  [
    'the test network where only the main one is allowed',
    () => sent(1, friend, { chainId: 2 }),
    'chain_not_allowed',
    session({ allowed_chains: ['aptos'] }),
  ],
]

/** Aptos: framework functions, stores and objects, scripts, keys, several signers. */
export const aptosCases: readonly CorpusCase[] = [
  ...transactionCases('aptos', rows),
  ...transactionCases('aptos-testnet', testnetRows),
]
