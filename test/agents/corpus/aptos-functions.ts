import {
  AccountAddress,
  Bool,
  EntryFunction,
  MoveVector,
  MultiSig,
  MultiSigTransactionPayload,
  Script,
  TransactionExecutableEntryFunction,
  TransactionExtraConfigV1,
  TransactionInnerPayloadV1,
  TransactionPayloadMultiSig,
  TransactionPayloadScript,
  U64,
} from '@aptos-labs/ts-sdk'
import {
  allowed,
  apt,
  call,
  capped,
  coin,
  dex,
  framework,
  friend,
  pool,
  raw,
  sent,
  thief,
  toFriend,
} from './aptos-payloads.ts'
import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  [
    'a store’s asset',
    () =>
      call(
        '0x1::fungible_asset::transfer',
        [friend, thief, new U64(1)],
        ['0x1::fungible_asset::FungibleStore'],
      ),
    'payload_undecodable',
    framework,
  ],
  [
    'a store’s asset by its hooks',
    () =>
      call(
        '0x1::dispatchable_fungible_asset::transfer',
        [friend, thief, new U64(1)],
        ['0x1::fungible_asset::FungibleStore'],
      ),
    'payload_undecodable',
    framework,
  ],
  [
    'an object',
    () => call('0x1::object::transfer', [pool, friend], ['0x1::object::ObjectCore']),
    'payload_undecodable',
    framework,
  ],
  [
    'an object without its type',
    () => call('0x1::object::transfer_call', [pool, friend]),
    'payload_undecodable',
    session({ allowed_tokens: [{ chain: 'aptos', token: pool.toString() }] }),
  ],
  [
    'a stake in a pool',
    () => call('0x1::delegation_pool::add_stake', [pool, new U64(1001)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a stake in a pool that is not an allowed recipient',
    () => call('0x1::delegation_pool::add_stake', [pool, new U64(1)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'the end of a stake',
    () => call('0x1::delegation_pool::unlock', [pool, new U64(1)]),
    'contract_call_not_allowed',
    framework,
  ],
  [
    'a voter for a stake',
    () => call('0x1::delegation_pool::delegate_voting_power', [pool, thief]),
    'account_admin_not_allowed',
    framework,
  ],
  [
    'another key',
    () => call('0x1::account::rotate_authentication_key_call', [MoveVector.U8(new Uint8Array(32))]),
    'account_admin_not_allowed',
    framework,
  ],
  [
    'the right to sign for the account',
    () =>
      call('0x1::account::offer_signer_capability', [
        MoveVector.U8(new Uint8Array(64)),
        MoveVector.U8(new Uint8Array(32)),
        thief,
      ]),
    'account_admin_not_allowed',
    framework,
  ],
  [
    'a program that may sign for the account',
    () =>
      call('0x1::account_abstraction::add_authentication_function', [
        thief,
        MoveVector.U8(Uint8Array.of(1)),
        MoveVector.U8(Uint8Array.of(1)),
      ]),
    'account_admin_not_allowed',
    framework,
  ],
  [
    'new code',
    () =>
      call('0x1::code::publish_package_txn', [
        MoveVector.U8(Uint8Array.of(1)),
        new MoveVector([MoveVector.U8(Uint8Array.of(1))]),
      ]),
    'account_admin_not_allowed',
    framework,
  ],
  [
    'owners of the account',
    () =>
      call('0x1::multisig_account::create_with_existing_account_call', [new MoveVector([thief]), new U64(1)]),
    'account_admin_not_allowed',
    framework,
  ],
  [
    'a function of the framework that is not known',
    () => call('0x1::vesting::unlock_rewards', [thief]),
    'payload_undecodable',
    framework,
  ],
  [
    'tokens of the first standard',
    () => call('0x3::token_transfers::offer_script', [thief, thief, new U64(1)]),
    'payload_undecodable',
    framework,
  ],
  [
    'a known function with other arguments',
    () => call('0x1::aptos_account::transfer', [friend, new U64(1), new Bool(true)]),
    'payload_undecodable',
    framework,
  ],
  [
    'a known function with a type too many',
    () => call('0x1::aptos_account::transfer', [friend, new U64(1)], [apt]),
    'payload_undecodable',
    framework,
  ],
  [
    'tokens that are registered',
    () => call('0x1::managed_coin::register', [], [coin]),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
  [
    'another account',
    () => call('0x1::aptos_account::create_account', [thief]),
    'contract_call_not_allowed',
    framework,
  ],
  ['an unknown function', () => call(`${dex}::pool::swap`, [new U64(1)]), 'contract_call_not_allowed'],
  [
    'a function of an allowed contract: it would be handed the signer',
    () => call(`${dex}::pool::swap`, [new U64(1)]),
    'contract_call_not_allowed',
    allowed,
  ],
  [
    'a function of a contract that is allowed by selectors only',
    () => call(`${dex}::pool::swap`, [new U64(1)]),
    'contract_call_not_allowed',
    session({ allowed_contracts: [{ chain: 'aptos', address: dex, selectors: ['0x12345678'] }] }),
  ],
  [
    'a module named like the framework’s',
    () => call(`${dex}::aptos_account::transfer`, [friend, new U64(1)]),
    'contract_call_not_allowed',
    capped,
  ],
  [
    'a hand-over of an allowed contract',
    () => call(`${dex}::pool::set_admin`, [thief]),
    'account_admin_not_allowed',
    allowed,
  ],
  [
    'a script',
    () =>
      raw(
        new TransactionPayloadScript(new Script(Uint8Array.of(0xa1, 0x1c, 0xeb, 0x0b), [], [])),
      ).bcsToBytes(),
    'payload_undecodable',
    framework,
  ],
  [
    'a transaction of a multisig account',
    () =>
      raw(
        new TransactionPayloadMultiSig(
          new MultiSig(
            AccountAddress.from(dex),
            new MultiSigTransactionPayload(
              EntryFunction.build('0x1::aptos_account', 'transfer', [], [friend, new U64(1)]),
            ),
          ),
        ),
      ).bcsToBytes(),
    'payload_undecodable',
    allowed,
  ],
  [
    'a stored proposal of a multisig account',
    () => raw(new TransactionPayloadMultiSig(new MultiSig(AccountAddress.from(dex)))).bcsToBytes(),
    'payload_undecodable',
    allowed,
  ],
  [
    'APT without an order of transactions',
    () =>
      raw(
        new TransactionInnerPayloadV1(
          new TransactionExecutableEntryFunction(
            EntryFunction.build('0x1::aptos_account', 'transfer', [], [friend, new U64(1001)]),
          ),
          new TransactionExtraConfigV1(undefined, 9n),
        ),
      ).bcsToBytes(),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['the other network', () => sent(1, friend, { chainId: 2 }), 'invalid'],
  ['another sender', () => sent(1, friend, { from: thief }), 'invalid'],
  ['trailing bytes', () => Uint8Array.of(...sent(1), 0), 'invalid'],
]

/** Aptos: objects and stores, authority, modules that are not the framework's. */
export const aptosFunctionCases: readonly CorpusCase[] = transactionCases('aptos', rows)
