import { KeyType, PublicKey } from '@near-js/crypto'
import { actionCreators, createTransaction, encodeTransaction } from '@near-js/transactions'
import { toHex } from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { asset, sender, sent as sentApt, usdc } from './aptos-payloads.ts'
import type { CorpusCase } from './corpus-case.ts'
import * as cosmos from './cosmos-payloads.ts'
import {
  account,
  call,
  callCases,
  execute,
  once,
  otherToken,
  token,
  transfer,
  wallet,
} from './evm-payloads.ts'
import * as stellar from './stellar-payloads.ts'
import { session, transactionCases } from './transaction-cases.ts'
import * as tron from './tron-payloads.ts'

const nothing = { max_spend_per_tx_native: '0', allowed_recipients: [] }
const none = session(nothing)
const capped = session({ max_spend_per_tx_native: '0' })
const listed = session({ ...nothing, allowed_tokens: [{ chain: 'base', token, max_per_tx: '0' }] })
const paid = { transactions: 1n }
const key = testKey('ed25519', 1)
const near = toHex(key.publicKey)
const nearKey = new PublicKey({ keyType: KeyType.ED25519, data: key.publicKey })

/** What an account pays to itself counts like any other payment; one of nothing pays nobody. */
export const ownPaymentCases: readonly CorpusCase[] = [
  ...callCases('own payments', [
    ['of nothing, which voids a nonce', wallet, '0x', 'allowed', none, { spends: once }],
    [
      'of nothing by the smart account',
      account,
      execute(account, 0n, '0x'),
      'allowed',
      none,
      { spends: once },
    ],
    ['on no list of recipients', wallet, '0x', 'recipient_not_allowed', none, { value: 1n }],
    ['beyond a cap', wallet, '0x', 'per_tx_cap_exceeded', capped, { value: 10n ** 20n }],
    ['of the smart account to itself', account, execute(account, 5n, '0x'), 'recipient_not_allowed', none],
    ['to the smart account', account, '0x', 'recipient_not_allowed', none, { value: 1n }],
    ['of a token', token, transfer(wallet, 5n), 'recipient_not_allowed', listed],
    [
      'of a token by its allowance',
      token,
      call('transferFrom(address,address,uint256)', wallet, wallet, 5n),
      'recipient_not_allowed',
      listed,
    ],
    ['of a token that is not listed', otherToken, transfer(wallet, 5n), 'recipient_not_allowed', listed],
    ['of nothing with a call', wallet, '0x12345678', 'account_admin_not_allowed', none],
  ]),
  ...transactionCases('cosmoshub', [
    [
      'an own payment',
      () => cosmos.doc([cosmos.send([cosmos.atom(5)], cosmos.own)]),
      'recipient_not_allowed',
      none,
    ],
    [
      'an own address on another chain',
      () => cosmos.doc([cosmos.transfer('', cosmos.own, cosmos.atom(5))]),
      'recipient_not_allowed',
      none,
    ],
  ]),
  ...transactionCases('near', [
    [
      'an own payment',
      () =>
        encodeTransaction(
          createTransaction(
            near,
            nearKey,
            near,
            7n,
            [actionCreators.transfer(5n)],
            new Uint8Array(32).fill(9),
          ),
        ),
      'recipient_not_allowed',
      none,
    ],
  ]),
  ...transactionCases('aptos', [
    ['an own payment of nothing', () => sentApt(0, sender), 'allowed', none, paid],
    ['an own payment', () => sentApt(5, sender), 'recipient_not_allowed', none],
    [
      'an own payment of a token',
      () => asset(5, sender),
      'token_cap_exceeded',
      session({ allowed_tokens: [{ chain: 'aptos', token: usdc, max_per_tx: '0' }] }),
    ],
  ]),
  ...transactionCases('stellar', [
    ['an own payment', () => stellar.sent([stellar.pay('5', stellar.wallet)]), 'recipient_not_allowed', none],
    [
      'an own payment to a muxed account',
      () => stellar.sent([stellar.pay('5', stellar.ownMuxed)]),
      'recipient_not_allowed',
      none,
    ],
  ]),
  ...transactionCases('tron', [
    ['an own payment of a token', () => tron.token(501n, tron.owner), 'token_cap_exceeded', tron.usdtOnly],
  ]),
]
