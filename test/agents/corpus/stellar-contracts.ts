import { Address, nativeToScVal, Operation } from '@stellar/stellar-base'
import type { CorpusCase } from './corpus-case.ts'
import {
  allowed,
  authorized,
  build,
  bump,
  capped,
  contract,
  dex,
  friend,
  i128,
  invocation,
  invoke,
  native,
  nativeContract,
  party,
  pay,
  sacOnly,
  sent,
  thief,
  tokenCost,
  wallet,
} from './stellar-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  [
    'a token’s contract',
    () => invoke('transfer', [party(wallet), party(friend), i128(500n)]),
    'allowed',
    sacOnly,
    tokenCost(contract, 500n),
  ],
  [
    'a token’s contract over its cap',
    () => invoke('transfer', [party(wallet), party(friend), i128(501n)]),
    'token_cap_exceeded',
    sacOnly,
  ],
  [
    'a token’s contract to another',
    () => invoke('transfer', [party(wallet), party(thief), i128(1n)]),
    'recipient_not_allowed',
    session({ ...sacOnly.session, allowed_recipients: [friend] }),
  ],
  [
    'XLM by its contract',
    () => invoke('transfer', [party(wallet), party(friend), i128(1001n)], nativeContract),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'tokens of another',
    () => invoke('transfer_from', [party(wallet), party(thief), party(friend), i128(501n)]),
    'token_cap_exceeded',
    sacOnly,
  ],
  ['tokens that are burnt', () => invoke('burn', [party(wallet), i128(501n)]), 'token_cap_exceeded', sacOnly],
  [
    'a finite approval',
    () => invoke('approve', [party(wallet), party(friend), i128(500n), nativeToScVal(9, { type: 'u32' })]),
    'allowed',
    sacOnly,
    tokenCost(contract, 500n),
  ],
  [
    'an approval over the cap',
    () => invoke('approve', [party(wallet), party(friend), i128(501n), nativeToScVal(9, { type: 'u32' })]),
    'token_cap_exceeded',
    sacOnly,
  ],
  [
    'an unlimited approval',
    () =>
      invoke('approve', [party(wallet), party(friend), i128(2n ** 126n), nativeToScVal(9, { type: 'u32' })]),
    'approval_not_allowed',
    session({ allowed_tokens: [{ chain: 'stellar', token: contract }] }),
  ],
  [
    'an approval of XLM',
    () =>
      invoke(
        'approve',
        [party(wallet), party(friend), i128(1n), nativeToScVal(9, { type: 'u32' })],
        nativeContract,
      ),
    'approval_not_allowed',
    capped,
  ],
  [
    'a transfer with an argument too many',
    () => invoke('transfer', [party(wallet), party(friend), i128(1n), i128(1n)], dex),
    'payload_undecodable',
    allowed(),
  ],
  [
    'a negative amount',
    () => invoke('transfer', [party(wallet), party(friend), i128(-1n)], dex),
    'payload_undecodable',
    allowed(),
  ],
  ['a contract', () => invoke('ping', [], dex), 'contract_call_not_allowed'],
  ['an allowed contract', () => invoke('ping', [], dex), 'allowed', allowed(), { transactions: 1n }],
  [
    'an allowed contract that may take tokens',
    () =>
      invoke('ping', [], dex, [
        authorized(
          invocation('ping', [], dex, [
            invocation('transfer', [party(wallet), party(dex), i128(501n)], contract),
          ]),
        ),
      ]),
    'token_cap_exceeded',
    allowed({ allowed_tokens: [{ chain: 'stellar', token: contract, max_per_tx: '500' }] }),
  ],
  [
    'an allowed contract that may take XLM',
    () =>
      invoke('ping', [], dex, [
        authorized(
          invocation('ping', [], dex, [
            invocation('transfer', [party(wallet), party(dex), i128(1001n)], nativeContract),
          ]),
        ),
      ]),
    'per_tx_cap_exceeded',
    allowed({ max_spend_per_tx_native: '1000' }),
  ],
  [
    'an allowed contract that may call another',
    () =>
      invoke('ping', [], dex, [authorized(invocation('ping', [], dex, [invocation('ping', [], contract)]))]),
    'contract_call_not_allowed',
    allowed(),
  ],
  [
    'an authorization of a contract in a tree of its own',
    () =>
      invoke('ping', [], dex, [
        authorized(invocation('transfer', [party(wallet), party(thief), i128(501n)], contract)),
      ]),
    'token_cap_exceeded',
    allowed({ allowed_tokens: [{ chain: 'stellar', token: contract, max_per_tx: '500' }] }),
  ],
  [
    'a method named like a harmless operation',
    () => invoke('claim_claimable_balance', [], dex),
    'contract_call_not_allowed',
  ],
  [
    'another administrator of a token',
    () => invoke('set_admin', [party(thief)], dex),
    'account_admin_not_allowed',
    allowed(),
  ],
  ['new code of a contract', () => invoke('upgrade', [], dex), 'account_admin_not_allowed', allowed()],
  [
    'code that is uploaded',
    () => sent([Operation.uploadContractWasm({ wasm: Buffer.from([0, 97, 115, 109]) })]),
    'contract_creation_not_allowed',
    allowed(),
  ],
  [
    'a new contract',
    () =>
      sent([
        Operation.createCustomContract({
          address: new Address(wallet),
          wasmHash: Buffer.alloc(32, 1),
          salt: Buffer.alloc(32, 2),
        }),
      ]),
    'contract_creation_not_allowed',
    allowed(),
  ],
  [
    'the fee of another’s transaction',
    () =>
      bump(
        wallet,
        build([Operation.payment({ destination: friend, asset: native, amount: '1' })], { source: thief }),
      ),
    'contract_call_not_allowed',
  ],
  [
    'a payment whose fee another pays',
    () => bump(thief, build([pay('0.0001001')])),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['another source', () => sent([pay('1')], { source: thief }), 'invalid'],
  ['trailing bytes', () => Uint8Array.of(...sent([pay('1')]), 0), 'invalid'],
]

/** Stellar: contracts, their tokens, and what they are authorized to. */
export const stellarContractCases: readonly CorpusCase[] = transactionCases('stellar', rows)
