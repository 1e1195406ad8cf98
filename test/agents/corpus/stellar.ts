import { Asset, getLiquidityPoolId, LiquidityPoolAsset, Memo, Operation } from '@stellar/stellar-base'
import type { CorpusCase } from './corpus-case.ts'
import {
  capped,
  contract,
  friend,
  issuer,
  muxed,
  native,
  ownMuxed,
  path,
  pay,
  sacOnly,
  sent,
  thief,
  toFriend,
  tokenCost,
  usd,
  usdOnly,
  wallet,
  xlm,
} from './stellar-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  ['XLM', () => sent([pay('0.0001')]), 'allowed', capped, xlm(1000n)],
  ['one stroop over the cap', () => sent([pay('0.0001001')]), 'per_tx_cap_exceeded', capped],
  [
    'two payments over the cap together',
    () => sent([pay('0.00006'), pay('0.00006')]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['XLM to an allowed recipient', () => sent([pay('1')]), 'allowed', toFriend, xlm(10_000_000n)],
  [
    'XLM to a customer of an allowed recipient',
    () => sent([pay('1', muxed)]),
    'allowed',
    toFriend,
    xlm(10_000_000n),
  ],
  ['XLM to another', () => sent([pay('1', thief)]), 'recipient_not_allowed', toFriend],
  [
    'XLM to a customer of one who is blocked',
    () => sent([pay('1', muxed)]),
    'recipient_blocked',
    { organization: { blocked_recipients: [friend] } },
  ],
  [
    'XLM from the wallet’s own muxed account',
    () => sent([pay('0.0001001', friend, native, ownMuxed)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'XLM of another account in one transaction',
    () => sent([pay('0.0001001', friend, native, thief)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['the fee of the cap', () => sent([pay('0.0000001')], { fee: '1000' }), 'allowed', capped, xlm(1n)],
  ['a fee over the cap', () => sent([pay('0.0000001')], { fee: '1001' }), 'fee_cap_exceeded', capped],
  [
    'a fee of several operations over the cap',
    () => sent([pay('0.0000001'), pay('0.0000001')], { fee: '600' }),
    'fee_cap_exceeded',
    capped,
  ],
  ['a memo', () => sent([pay('0.0000001')], { memo: Memo.text('order 7') }), 'allowed', toFriend, xlm(1n)],
  [
    'a new account',
    () => sent([Operation.createAccount({ destination: friend, startingBalance: '0.0001001' })]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a new account for another',
    () => sent([Operation.createAccount({ destination: thief, startingBalance: '1' })]),
    'recipient_not_allowed',
    toFriend,
  ],
  ['an asset', () => sent([pay('0.00005', friend, usd)]), 'allowed', usdOnly, tokenCost(contract, 500n)],
  ['an asset over its cap', () => sent([pay('0.0000501', friend, usd)]), 'token_cap_exceeded', usdOnly],
  [
    'an asset of the same name from another',
    () => sent([pay('0.0000001', friend, new Asset('USD', thief))]),
    'token_not_allowed',
    usdOnly,
  ],
  [
    'an asset in another case',
    () => sent([pay('0.0000001', friend, new Asset('usd', issuer))]),
    'token_not_allowed',
    usdOnly,
  ],
  [
    'an asset where none is listed',
    () => sent([pay('0.0000001', friend, usd)]),
    'token_not_allowed',
    { session: {} },
  ],
  [
    'a path that costs more than the cap',
    () => sent([Operation.pathPaymentStrictReceive(path({ sendMax: '0.0001001', destAmount: '0.0000001' }))]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a path to the wallet itself',
    () =>
      sent([
        Operation.pathPaymentStrictSend(
          path({ sendAmount: '0.0001001', destMin: '0.0000001', destination: wallet }),
        ),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a path that sells an asset',
    () =>
      sent([
        Operation.pathPaymentStrictSend(
          path({ sendAsset: usd, destAsset: native, sendAmount: '0.0000501', destMin: '0.0000001' }),
        ),
      ]),
    'token_cap_exceeded',
    usdOnly,
  ],
  [
    'an offer, with the reserve that it binds',
    () => sent([Operation.manageSellOffer({ selling: native, buying: usd, amount: '0.0001', price: '1' })]),
    'allowed',
    session({ max_spend_per_tx_native: '5001000' }),
    xlm(5_001_000n),
  ],
  [
    'an offer within the cap, with a reserve beyond it',
    () => sent([Operation.manageSellOffer({ selling: native, buying: usd, amount: '0.0001', price: '1' })]),
    'per_tx_cap_exceeded',
    session({ max_spend_per_tx_native: '5000999' }),
  ],
  [
    'an offer that is changed within the cap',
    () =>
      sent([
        Operation.manageSellOffer({
          selling: native,
          buying: usd,
          amount: '0.0001',
          price: '1',
          offerId: '7',
        }),
      ]),
    'allowed',
    capped,
    xlm(1000n),
  ],
  [
    'an offer over the cap',
    () =>
      sent([Operation.manageSellOffer({ selling: native, buying: usd, amount: '0.0001001', price: '1' })]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'an offer that is changed',
    () =>
      sent([
        Operation.manageSellOffer({
          selling: native,
          buying: usd,
          amount: '0.0001001',
          price: '1',
          offerId: '7',
        }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'an offer to buy that costs more than the cap',
    () =>
      sent([Operation.manageBuyOffer({ selling: native, buying: usd, buyAmount: '0.0000501', price: '20' })]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a passive offer over the cap',
    () =>
      sent([
        Operation.createPassiveSellOffer({ selling: native, buying: usd, amount: '0.0001001', price: '1' }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'an offer to anybody where recipients are listed',
    () =>
      sent([Operation.manageSellOffer({ selling: native, buying: usd, amount: '0.0000001', price: '1' })]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'an offer of a token that is not listed',
    () =>
      sent([
        Operation.manageSellOffer({
          selling: new Asset('EUR', issuer),
          buying: native,
          amount: '1',
          price: '1',
        }),
      ]),
    'token_not_allowed',
    sacOnly,
  ],
  [
    'an offer that ends',
    () =>
      sent([
        Operation.manageSellOffer({ selling: native, buying: usd, amount: '0', price: '1', offerId: '7' }),
      ]),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
  [
    'the end of the account',
    () => sent([Operation.accountMerge({ destination: friend })]),
    'account_admin_not_allowed',
    toFriend,
  ],
  [
    'another signer',
    () => sent([Operation.setOptions({ signer: { ed25519PublicKey: thief, weight: 1 } })]),
    'account_admin_not_allowed',
  ],
  [
    'a signer by a hash',
    () => sent([Operation.setOptions({ signer: { sha256Hash: 'ab'.repeat(32), weight: 1 } })]),
    'account_admin_not_allowed',
  ],
  [
    'the weight of the own key',
    () => sent([Operation.setOptions({ masterWeight: 0 })]),
    'account_admin_not_allowed',
  ],
  [
    'a home domain',
    () => sent([Operation.setOptions({ homeDomain: 'example.org' })]),
    'account_admin_not_allowed',
  ],
  [
    'a signer behind an allowed payment',
    () => sent([pay('0.0000001'), Operation.setOptions({ signer: { ed25519PublicKey: thief, weight: 1 } })]),
    'account_admin_not_allowed',
    toFriend,
  ],
  [
    'a skipped sequence',
    () => sent([Operation.bumpSequence({ bumpTo: '9223372036854775807' })]),
    'account_admin_not_allowed',
  ],
  [
    'reserves of another',
    () => sent([Operation.beginSponsoringFutureReserves({ sponsoredId: thief })]),
    'account_admin_not_allowed',
  ],
  [
    'the end of a sponsorship',
    () => sent([Operation.endSponsoringFutureReserves({})]),
    'contract_call_not_allowed',
  ],
  [
    'trust in a listed asset, with the reserve that it binds',
    () => sent([Operation.changeTrust({ asset: usd })]),
    'allowed',
    session({ ...usdOnly.session, allowed_recipients: [], max_spend_per_tx_native: '5000000' }),
    xlm(5_000_000n),
  ],
  [
    'trust in a listed asset where the reserve is beyond the cap',
    () => sent([Operation.changeTrust({ asset: usd })]),
    'per_tx_cap_exceeded',
    session({ ...usdOnly.session, max_spend_per_tx_native: '4999999' }),
  ],
  [
    'trust in a listed asset up to a limit',
    () => sent([Operation.changeTrust({ asset: usd, limit: '0.0000001' })]),
    'allowed',
    usdOnly,
    xlm(5_000_000n),
  ],
  [
    'trust in another asset',
    () => sent([Operation.changeTrust({ asset: new Asset('EUR', issuer) })]),
    'token_not_allowed',
    usdOnly,
  ],
  [
    'trust where no token may move',
    () => sent([Operation.changeTrust({ asset: usd })]),
    'token_transfers_disabled',
    { ...usdOnly, organization: { token_mode: 'none' } },
  ],
  [
    'trust that ends',
    () => sent([Operation.changeTrust({ asset: new Asset('EUR', issuer), limit: '0' })]),
    'allowed',
    usdOnly,
    { transactions: 1n },
  ],
  [
    'trust in shares of a pool',
    () => sent([Operation.changeTrust({ asset: new LiquidityPoolAsset(native, usd, 30) })]),
    'approval_not_allowed',
  ],
  [
    'trust for the own asset',
    () =>
      sent([
        Operation.setTrustLineFlags({
          trustor: thief,
          asset: new Asset('OWN', wallet),
          flags: { authorized: true },
        }),
      ]),
    'account_admin_not_allowed',
  ],
  [
    'a clawback',
    () => sent([Operation.clawback({ asset: new Asset('OWN', wallet), from: thief, amount: '1' })]),
    'account_admin_not_allowed',
  ],
  [
    'data of the account',
    () => sent([Operation.manageData({ name: 'x', value: 'y' })]),
    'contract_call_not_allowed',
  ],
  [
    'a deposit into a pool',
    () =>
      sent([
        Operation.liquidityPoolDeposit({
          liquidityPoolId: getLiquidityPoolId(
            'constant_product',
            new LiquidityPoolAsset(native, usd, 30).getLiquidityPoolParameters(),
          ).toString('hex'),
          maxAmountA: '1',
          maxAmountB: '1',
          minPrice: '1',
          maxPrice: '2',
        }),
      ]),
    'payload_undecodable',
  ],
  [
    'a withdrawal from a pool',
    () =>
      sent([
        Operation.liquidityPoolWithdraw({
          liquidityPoolId: 'ab'.repeat(32),
          amount: '1',
          minAmountA: '0',
          minAmountB: '0',
        }),
      ]),
    'contract_call_not_allowed',
  ],
]

const testnetRows: readonly TransactionRow[] = [
  [
    'the test network where only the main one is allowed',
    () => sent([pay('1')]),
    'chain_not_allowed',
    session({ allowed_chains: ['stellar'] }),
  ],
]

/** Stellar: signers, merges, trust, offers, contracts and what they are authorized to, fee bumps. */
export const stellarCases: readonly CorpusCase[] = [
  ...transactionCases('stellar', rows),
  ...transactionCases('stellar-testnet', testnetRows),
]
