import { tronBytes, tronJson } from '@symbolon/networks/testing/random-tron.fuzz'
import { TronWeb } from 'tronweb'
import type { CorpusCase } from './corpus-case.ts'
import { anything, session, type TransactionRow, transactionCases } from './transaction-cases.ts'
import {
  account,
  allowed,
  approve,
  built,
  called,
  capped,
  friend,
  friendText,
  owner,
  ownText,
  permission,
  router,
  selector,
  sent,
  thief,
  toFriend,
  token,
  trc10,
  trx,
  unlimited,
  usdt,
  usdtCost,
  usdtHex,
  usdtOnly,
  word,
} from './tron-payloads.ts'

const rows: readonly TransactionRow[] = [
  ['TRX', () => sent(1000), 'allowed', capped, trx(1000n)],
  ['one sun over the cap', () => sent(1001), 'per_tx_cap_exceeded', capped],
  ['TRX to an allowed recipient', () => sent(5), 'allowed', toFriend, trx(5n)],
  [
    'TRX to an allowed recipient in hex',
    () => sent(5),
    'allowed',
    session({ allowed_recipients: [friend] }),
    trx(5n),
  ],
  ['TRX to another', () => sent(5, thief), 'recipient_not_allowed', toFriend],
  [
    'TRX to one who is blocked by hex',
    () => sent(5),
    'recipient_blocked',
    { organization: { blocked_recipients: [friend.toUpperCase()] } },
  ],
  [
    'a memo costs a fee',
    () => sent(5, friend, { data: '6d656d6f' }),
    'fee_cap_exceeded',
    session({ max_fee_per_tx_native: '2000000' }),
  ],
  [
    'a fee limit above the cap',
    () => called('ping()', '', {}, router, { fee_limit: 10_000_000 }),
    'fee_cap_exceeded',
    session({ ...capped.session, allowed_contracts: [{ chain: 'tron', address: router }] }),
  ],
  [
    'a signature under another permission',
    () => built('TransferContract', { to_address: friend, amount: 1001 }, {}, 2),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['USDT', () => token(500n), 'allowed', usdtOnly, usdtCost(500n)],
  ['USDT over its cap', () => token(501n), 'token_cap_exceeded', usdtOnly],
  ['USDT where no token is listed', () => token(1n), 'token_not_allowed', { session: {} }],
  [
    'USDT where tokens are off',
    () => token(1n),
    'token_transfers_disabled',
    { ...usdtOnly, organization: { token_mode: 'none' } },
  ],
  ['another token', () => token(1n, friend, router), 'token_not_allowed', usdtOnly],
  [
    'a token that is listed by its hex address',
    () => token(5n),
    'allowed',
    session({ allowed_tokens: [{ chain: 'tron-nile', token: usdtHex }] }),
    usdtCost(5n),
  ],
  [
    'USDT to another than the allowed recipient',
    () => token(1n, thief),
    'recipient_not_allowed',
    session({ allowed_recipients: [friendText], allowed_tokens: [{ chain: 'tron', token: usdt }] }),
  ],
  [
    'USDT with TRX attached over the cap',
    () => called('transfer(address,uint256)', account(friend) + word(1n), { call_value: 1001 }),
    'per_tx_cap_exceeded',
    session({ ...usdtOnly.session, max_spend_per_tx_native: '1000' }),
  ],
  [
    'USDT of another by its allowance',
    () => called('transferFrom(address,address,uint256)', account(thief) + account(friend) + word(501n)),
    'token_cap_exceeded',
    usdtOnly,
  ],
  [
    'a transfer with a trailing word',
    () => called('transfer(address,uint256)', account(friend) + word(1n) + word(9n)),
    'payload_undecodable',
    usdtOnly,
  ],
  [
    'a transfer to an address with dirty bits',
    () => called('transfer(address,uint256)', `41${'ab'.repeat(20)}`.padStart(64, '0') + word(1n)),
    'payload_undecodable',
    usdtOnly,
  ],
  ['a finite approval', () => approve(500n), 'allowed', usdtOnly, usdtCost(500n)],
  ['a finite approval over the cap', () => approve(501n), 'token_cap_exceeded', usdtOnly],
  [
    'an unlimited approval',
    () => approve(unlimited),
    'approval_not_allowed',
    session({ allowed_tokens: [{ chain: 'tron', token: usdt }] }),
  ],
  [
    'an approval as good as unlimited',
    () => approve(2n ** 200n),
    'approval_not_allowed',
    session({ allowed_tokens: [{ chain: 'tron', token: usdt }] }),
  ],
  [
    'a raised allowance',
    () => called('increaseAllowance(address,uint256)', account(friend) + word(501n)),
    'token_cap_exceeded',
    usdtOnly,
  ],
  [
    'all items of a collection',
    () => called('setApprovalForAll(address,bool)', account(friend) + word(1n)),
    'approval_not_allowed',
    session({
      allowed_tokens: [{ chain: 'tron', token: usdt }],
      allowed_contracts: [{ chain: 'tron', address: usdt }],
    }),
  ],
  [
    'an item of a collection',
    () => called('safeTransferFrom(address,address,uint256)', account(owner) + account(friend) + word(7n)),
    'contract_call_not_allowed',
    session({
      allowed_tokens: [{ chain: 'tron', token: usdt }],
      allowed_contracts: [{ chain: 'tron', address: usdt }],
    }),
  ],
  ['an unknown method', () => called('ping()', '', {}, router), 'contract_call_not_allowed'],
  [
    'an unknown method of an allowed contract',
    () => called('ping()', '', {}, router),
    'allowed',
    allowed(),
    { transactions: 1n },
  ],
  [
    'an unknown method with TRX',
    () => called('ping()', '', { call_value: 1000 }, router),
    'allowed',
    allowed(),
    trx(1000n),
  ],
  [
    'an unknown method with more TRX',
    () => called('ping()', '', { call_value: 1001 }, router),
    'per_tx_cap_exceeded',
    allowed(),
  ],
  [
    'an unknown method with a TRC-10 token',
    () => called('ping()', '', { call_token_value: 7, token_id: 1_000_001 }, router),
    'token_not_allowed',
    { session: allowed().session ?? {} },
  ],
  [
    'an unknown method with TRX and a TRC-10 token',
    () => called('ping()', '', { call_value: 1000, call_token_value: 7, token_id: 1_000_001 }, router),
    'token_not_allowed',
    { session: allowed().session ?? {} },
  ],
  [
    'an allowed method',
    () => called('ping()', '', {}, router),
    'allowed',
    allowed(router, [selector('ping()')]),
    { transactions: 1n },
  ],
  [
    'another method than the allowed one',
    () => called('pong()', '', {}, router),
    'contract_call_not_allowed',
    allowed(router, [selector('ping()')]),
  ],
  [
    'no method at all',
    () =>
      built('TriggerSmartContract', {
        contract_address: TronWeb.address.toHex(router),
        data: '',
        call_value: 5,
      }),
    'contract_call_not_allowed',
  ],
  [
    'a hand-over of an allowed contract',
    () => called('transferOwnership(address)', account(thief), {}, router),
    'account_admin_not_allowed',
    allowed(),
  ],
  [
    'an upgrade of an allowed contract',
    () => called('upgradeTo(address)', account(thief), {}, router),
    'account_admin_not_allowed',
    allowed(),
  ],
  [
    'a batch of calls within a call',
    () =>
      called('multicall(bytes[])', word(32n) + word(1n) + word(32n) + word(4n) + '00'.repeat(32), {}, router),
    'payload_undecodable',
    allowed(),
  ],
  [
    'a TRC-10 token',
    () => trc10('1000001', 7),
    'allowed',
    session({ allowed_tokens: [{ chain: 'tron', token: '1000001', max_per_tx: '7' }] }),
    { 'token tron 1000001': 7n, transactions: 1n },
  ],
  [
    'a TRC-10 token over its cap',
    () => trc10('1000001', 8),
    'token_cap_exceeded',
    session({ allowed_tokens: [{ chain: 'tron', token: '1000001', max_per_tx: '7' }] }),
  ],
  [
    'another TRC-10 token',
    () => trc10('1000002', 7),
    'token_not_allowed',
    session({ allowed_tokens: [{ chain: 'tron', token: '1000001' }] }),
  ],
  ['a TRC-10 token by a name', () => trc10('TRX', 7), 'invalid'],
  [
    'a purchase of a new token',
    () =>
      built('ParticipateAssetIssueContract', {
        to_address: friend,
        amount: 1001,
        asset_name: TronWeb.fromUtf8('1000001').slice(2),
      }),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'other keys for the account',
    () => built('AccountPermissionUpdateContract', { owner: permission, actives: [] }),
    'account_admin_not_allowed',
  ],
  [
    'a name for the account',
    () => built('AccountUpdateContract', { account_name: '61626364' }),
    'account_admin_not_allowed',
  ],
  [
    'an id for the account',
    () => built('SetAccountIdContract', { account_id: '6d7977616c6c6574' }),
    'account_admin_not_allowed',
  ],
  [
    'a new contract',
    () =>
      built('CreateSmartContract', {
        bytecode: '6000',
        name: '',
        call_value: 0,
        consume_user_resource_percent: 0,
        origin_energy_limit: 1,
        abi: '[]',
      }),
    'contract_creation_not_allowed',
    allowed(),
  ],
  [
    'a new account',
    () => built('AccountCreateContract', { account_address: thief }),
    'contract_call_not_allowed',
    allowed(),
  ],
  [
    'a stake',
    () => built('FreezeBalanceV2Contract', { frozen_balance: 5, resource: 'ENERGY' }),
    'contract_call_not_allowed',
  ],
  [
    'the end of a stake',
    () => built('UnfreezeBalanceV2Contract', { unfreeze_balance: 5, resource: 'ENERGY' }),
    'contract_call_not_allowed',
  ],
  [
    'resources that are lent',
    () =>
      built('DelegateResourceContract', {
        balance: 5,
        resource: 'ENERGY',
        receiver_address: thief,
        lock: true,
        lock_period: 1000,
      }),
    'contract_call_not_allowed',
  ],
  [
    'a vote',
    () => built('VoteWitnessContract', { votes: [{ vote_address: thief, vote_count: 5 }] }),
    'contract_call_not_allowed',
  ],
  [
    'rewards that come in',
    () => built('WithdrawBalanceContract', {}),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
  [
    'a new super representative',
    () => built('WitnessCreateContract', { url: '68747470' }),
    'payload_undecodable',
  ],
  [
    'a trade on the old exchange',
    () => built('ExchangeTransactionContract', { exchange_id: 1, token_id: '5f', quant: 5, expected: 1 }),
    'payload_undecodable',
  ],
  [
    'another owner',
    () => tronBytes(tronJson(thief, 'TransferContract', { to_address: friend, amount: 1 })),
    'invalid',
  ],
  ['trailing bytes', () => Uint8Array.of(...sent(5), 0), 'invalid'],
  ['no transaction', () => Uint8Array.of(10, 2), 'invalid'],
  [
    'TRX to the wallet itself',
    () => sent(5, owner),
    'allowed',
    session({ allowed_recipients: [ownText] }),
    trx(5n),
  ],
]

const nileRows: readonly TransactionRow[] = [
  [
    'the test network while the main one is blocked',
    () => sent(5),
    'chain_blocked',
    { organization: { blocked_chains: ['tron'] } },
  ],
  [
    'the test network where the main one is allowed',
    () => sent(5),
    'allowed',
    session({ allowed_chains: ['tron'] }),
    trx(5n),
  ],
  ['a token that the main network’s list has', () => token(500n), 'allowed', usdtOnly, usdtCost(500n)],
  [
    'a chain of another network',
    () => sent(5),
    'chain_not_allowed',
    session({ allowed_chains: ['ethereum'] }),
  ],
  [
    'an agent that may only sign messages',
    () => sent(5),
    'method_not_allowed',
    { ...anything, agent: { allowed_methods: ['signMessage'] } },
  ],
]

/** Tron: permissions, tokens of both kinds, methods of contracts, stakes, fee limits. */
export const tronCases: readonly CorpusCase[] = [
  ...transactionCases('tron', rows),
  ...transactionCases('tron-nile', nileRows),
]
