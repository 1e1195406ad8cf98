import { AccountRole, address, createNoopSigner } from '@solana/kit'
import * as stakes from '@solana-program/stake'
import * as system from '@solana-program/system'
import * as token from '@solana-program/token'
import { own, sol, wallet } from '@symbolon/networks/testing/solana-effects'
import type { CorpusCase } from './corpus-case.ts'
import {
  account,
  allowed,
  call,
  capped,
  friend,
  nonce,
  other,
  program,
  sent,
  signer,
  thief,
  toFriend,
  usdc,
} from './solana-payloads.ts'
import { type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  [
    'a program that is given the account',
    () => sent([system.getAssignInstruction({ account: wallet, programAddress: program })]),
    'account_admin_not_allowed',
    allowed,
  ],
  [
    'space for the account',
    () => sent([system.getAllocateInstruction({ newAccount: wallet, space: 8n })]),
    'account_admin_not_allowed',
    allowed,
  ],
  [
    'a new account of a program',
    () =>
      sent([
        system.getCreateAccountInstruction({
          payer: wallet,
          newAccount: createNoopSigner(account),
          lamports: 1001n,
          space: 0n,
          programAddress: program,
        }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a new account that is opened for the wallet',
    () =>
      sent([
        system.getCreateAccountInstruction({
          payer: wallet,
          newAccount: createNoopSigner(account),
          lamports: 1001n,
          space: 165n,
          programAddress: token.TOKEN_PROGRAM_ADDRESS,
        }),
        token.getInitializeAccount3Instruction({ account, mint: usdc, owner: own }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a durable nonce',
    () =>
      sent([
        system.getAdvanceNonceAccountInstruction({ nonceAccount: nonce, nonceAuthority: wallet }),
        sol(1n, friend),
      ]),
    'account_admin_not_allowed',
    toFriend,
  ],
  [
    'another authority of a nonce',
    () =>
      sent([
        system.getAuthorizeNonceAccountInstruction({
          nonceAccount: nonce,
          nonceAuthority: wallet,
          newNonceAuthority: thief,
        }),
      ]),
    'account_admin_not_allowed',
  ],
  [
    'lamports of a nonce',
    () =>
      sent([
        system.getWithdrawNonceAccountInstruction({
          nonceAccount: nonce,
          recipientAccount: friend,
          nonceAuthority: wallet,
          withdrawAmount: 1n,
        }),
      ]),
    'account_admin_not_allowed',
    toFriend,
  ],
  [
    'a stake that moves to another',
    () =>
      sent([
        stakes.getAuthorizeInstruction({
          stake: account,
          authority: wallet,
          arg0: thief,
          arg1: stakes.StakeAuthorize.Withdrawer,
        }),
      ]),
    'contract_call_not_allowed',
    toFriend,
  ],
  [
    'lamports of a stake',
    () =>
      sent([
        stakes.getWithdrawInstruction({
          stake: account,
          recipient: friend,
          withdrawAuthority: wallet,
          args: 1n,
        }),
      ]),
    'contract_call_not_allowed',
    toFriend,
  ],
  ['an unknown program', () => sent([call()]), 'contract_call_not_allowed'],
  ['an unknown program that gets the wallet', () => sent([call([signer])]), 'payload_undecodable'],
  ['an allowed program that gets the wallet', () => sent([call([signer])]), 'payload_undecodable', allowed],
  [
    'an allowed program that gets the wallet by name only',
    () => sent([call([{ address: own, role: AccountRole.READONLY }])]),
    'payload_undecodable',
    allowed,
  ],
  ['an allowed program without the wallet', () => sent([call()]), 'allowed', allowed, { transactions: 1n }],
  [
    'an unknown program behind an allowed transfer',
    () => sent([sol(1n, friend), call([signer])]),
    'payload_undecodable',
    toFriend,
  ],
  [
    'an unknown instruction of the System program',
    () => sent([call([signer], system.SYSTEM_PROGRAM_ADDRESS)]),
    'payload_undecodable',
    allowed,
  ],
  [
    'an account behind a look-up table',
    () => sent([sol(1n, friend)], own, { tables: { [account]: [friend] } }),
    'payload_undecodable',
    capped,
  ],
  [
    'a look-up table for a program’s accounts',
    () =>
      sent([sol(1n, friend), call([{ address: thief, role: AccountRole.READONLY }])], own, {
        tables: { [account]: [thief] },
      }),
    'payload_undecodable',
    allowed,
  ],
  [
    'a program that is upgraded',
    () =>
      sent([
        {
          programAddress: address('BPFLoaderUpgradeab1e11111111111111111111111'),
          accounts: [
            { address: account, role: AccountRole.WRITABLE },
            { address: own, role: AccountRole.READONLY_SIGNER },
            { address: thief, role: AccountRole.READONLY },
          ],
          data: Uint8Array.of(4, 0, 0, 0),
        },
      ]),
    'account_admin_not_allowed',
    allowed,
  ],
  [
    'a transaction of others',
    () => sent([system.getTransferSolInstruction({ source: other, destination: friend, amount: 1n })], thief),
    'invalid',
  ],
  ['trailing bytes', () => Uint8Array.of(...sent([sol(1n, friend)]), 0), 'invalid'],
]

/** Solana: the System program, nonces, stakes, unknown programs, look-up tables. */
export const solanaProgramCases: readonly CorpusCase[] = transactionCases('solana', rows)
