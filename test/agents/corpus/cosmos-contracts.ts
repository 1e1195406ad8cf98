import { encodeUtf8 } from '@symbolon/networks/testing/internals'
import { cosmosAny } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { MsgInstantiateContract, MsgMigrateContract, MsgUpdateAdmin } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { CorpusCase } from './corpus-case.ts'
import {
  allowed,
  atom,
  both,
  capped,
  channel,
  contract,
  cost,
  cw20,
  doc,
  execute,
  friend,
  own,
  send,
  thief,
  toFriend,
  tokenCost,
  transfer,
} from './cosmos-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  [
    'coins to another chain',
    () => doc([transfer()]),
    'contract_call_not_allowed',
    session({ allowed_recipients: ['osmo1qqqq'] }),
  ],
  [
    'coins over an allowed channel',
    () => doc([transfer()]),
    'allowed',
    channel({ allowed_recipients: ['osmo1qqqq'] }),
    cost(1000n),
  ],
  [
    'coins over an allowed channel to another',
    () => doc([transfer('', 'osmo1zzzz')]),
    'recipient_not_allowed',
    channel({ allowed_recipients: ['osmo1qqqq'] }),
  ],
  [
    'coins over an allowed channel over the cap',
    () => doc([transfer('', 'osmo1qqqq', atom(1001))]),
    'per_tx_cap_exceeded',
    channel({ max_spend_per_tx_native: '1000' }),
  ],
  [
    'coins over an allowed channel with orders for its other side',
    () => doc([transfer('{"forward":{"receiver":"osmo1zzzz"}}')]),
    'payload_undecodable',
    channel(),
  ],
  ['a contract', () => doc([execute({ ping: {} })]), 'contract_call_not_allowed'],
  ['an allowed contract', () => doc([execute({ ping: {} })]), 'allowed', allowed(), { transactions: 1n }],
  [
    'an allowed contract with coins beside a recipient list, its method unnamed',
    () => doc([execute({ ping: {} }, [atom(1000)])]),
    'recipient_not_allowed',
    allowed({ max_spend_per_tx_native: '1000', allowed_recipients: [friend] }),
  ],
  [
    'an allowed contract with coins',
    () => doc([execute({ ping: {} }, [atom(1000)])]),
    'allowed',
    allowed({ max_spend_per_tx_native: '1000' }),
    cost(1000n),
  ],
  [
    'an allowed contract with more coins',
    () => doc([execute({ ping: {} }, [atom(1001)])]),
    'per_tx_cap_exceeded',
    allowed({ max_spend_per_tx_native: '1000' }),
  ],
  [
    'a method named like a harmless message',
    () => doc([execute({ withdrawReward: {} })]),
    'contract_call_not_allowed',
  ],
  [
    'a method named like another message',
    () => doc([execute({ instantiate: {} })]),
    'contract_call_not_allowed',
  ],
  [
    'a change of owner of an allowed contract',
    () => doc([execute({ update_ownership: { transfer_ownership: { new_owner: thief } } })]),
    'account_admin_not_allowed',
    allowed(),
  ],
  ['a message that is not an object', () => doc([execute('"ping"')]), 'payload_undecodable', allowed()],
  [
    'a message with two methods',
    () => doc([execute({ ping: {}, transfer: { recipient: thief, amount: '9' } })]),
    'payload_undecodable',
    both,
  ],
  ['a message with a key twice', () => doc([execute('{"ping":{},"ping":{}}')]), 'payload_undecodable', both],
  [
    'a CW-20 token',
    () => doc([execute({ transfer: { recipient: friend, amount: '500' } })]),
    'allowed',
    cw20,
    tokenCost(contract, 500n),
  ],
  [
    'a CW-20 token over its cap',
    () => doc([execute({ transfer: { recipient: friend, amount: '501' } })]),
    'token_cap_exceeded',
    cw20,
  ],
  [
    'a CW-20 token to another',
    () => doc([execute({ transfer: { recipient: thief, amount: '5' } })]),
    'recipient_not_allowed',
    session({ ...cw20.session, allowed_recipients: [friend] }),
  ],
  [
    'a CW-20 token with an unknown argument',
    () => doc([execute({ transfer: { recipient: friend, amount: '501', x: 1 } })]),
    'payload_undecodable',
    both,
  ],
  [
    'a CW-20 token that is burnt',
    () => doc([execute({ burn: { amount: '501' } })]),
    'payload_undecodable',
    both,
  ],
  [
    'a CW-20 token with a message for whoever gets it',
    () => doc([execute({ send: { contract: thief, amount: '5', msg: 'e30=' } })]),
    'contract_call_not_allowed',
    cw20,
  ],
  [
    'a CW-20 token of another',
    () => doc([execute({ transfer_from: { owner: thief, recipient: friend, amount: '501' } })]),
    'token_cap_exceeded',
    cw20,
  ],
  [
    'a CW-20 allowance',
    () => doc([execute({ increase_allowance: { spender: thief, amount: '501' } })]),
    'token_cap_exceeded',
    cw20,
  ],
  [
    'an unlimited CW-20 allowance',
    () => doc([execute({ increase_allowance: { spender: thief, amount: String(2n ** 128n - 1n) } })]),
    'approval_not_allowed',
    both,
  ],
  [
    'an item of a collection',
    () => doc([execute({ transfer_nft: { recipient: friend, token_id: '7' } })]),
    'contract_call_not_allowed',
    both,
  ],
  [
    'all items of a collection',
    () => doc([execute({ approve_all: { operator: thief } })]),
    'approval_not_allowed',
    both,
  ],
  [
    'a new contract',
    () =>
      doc([
        cosmosAny(MsgInstantiateContract, {
          sender: own,
          admin: '',
          codeId: 1n,
          label: 'x',
          msg: encodeUtf8('{}'),
          funds: [atom(1)],
        }),
      ]),
    'contract_creation_not_allowed',
    both,
  ],
  [
    'new code for a contract',
    () => doc([cosmosAny(MsgMigrateContract, { sender: own, contract, codeId: 1n, msg: encodeUtf8('{}') })]),
    'account_admin_not_allowed',
    both,
  ],
  [
    'another admin of a contract',
    () => doc([cosmosAny(MsgUpdateAdmin, { sender: own, newAdmin: thief, contract })]),
    'account_admin_not_allowed',
    both,
  ],
  [
    'an unknown message',
    () => doc([{ typeUrl: '/cosmos.unknown.v1.MsgTake', value: new Uint8Array(0) }]),
    'payload_undecodable',
    both,
  ],
  [
    'an unknown message behind a known one',
    () => doc([send([atom(1)]), { typeUrl: '/cosmos.unknown.v1.MsgTake', value: new Uint8Array(0) }]),
    'payload_undecodable',
    toFriend,
  ],
  [
    'a known message with an unknown field',
    () => doc([{ ...send([atom(1)]), value: Uint8Array.of(...send([atom(1)]).value, 0x78, 1) }]),
    'payload_undecodable',
  ],
  ['a sender that is not the wallet', () => doc([send([atom(1)], thief, friend)]), 'invalid'],
  ['another chain', () => doc([send([atom(1)])], { chainId: 'osmosis-1' }), 'invalid'],
  ['trailing bytes', () => Uint8Array.of(...doc([send([atom(1)])]), 0), 'invalid'],
  ['a memo', () => doc([send([atom(1)])], { memo: '{"forward":1}' }), 'allowed', capped, cost(1n)],
]

/** Cosmos: other chains behind channels, contracts and their tokens, messages that are not known. */
export const cosmosContractCases: readonly CorpusCase[] = transactionCases('cosmoshub', rows)
