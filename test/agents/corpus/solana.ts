import { AccountRole } from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction } from '@solana-program/memo'
import * as system from '@solana-program/system'
import * as token from '@solana-program/token'
import { checked, own, sol, wallet } from '@symbolon/networks/testing/solana-effects'
import type { CorpusCase } from './corpus-case.ts'
import {
  account,
  capped,
  cost,
  destination,
  friend,
  mint,
  on2022,
  opened,
  openUsdc,
  other,
  rent,
  sent,
  signer,
  source,
  thief,
  toFriend,
  token2022,
  usd,
  usdc,
  usdcCost,
  usdcOnly,
  wrapped,
} from './solana-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  ['SOL', () => sent([sol(1000n, friend)]), 'allowed', capped, cost(1000n)],
  [
    'SOL in a legacy message',
    () => sent([sol(1000n, friend)], own, { version: 'legacy' }),
    'allowed',
    capped,
    cost(1000n),
  ],
  ['one lamport over the cap', () => sent([sol(1001n, friend)]), 'per_tx_cap_exceeded', capped],
  [
    'two transfers over the cap together',
    () => sent([sol(600n, friend), sol(600n, friend)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['SOL to an allowed recipient', () => sent([sol(5n, friend)]), 'allowed', toFriend, cost(5n)],
  ['SOL to another', () => sent([sol(5n, thief)]), 'recipient_not_allowed', toFriend],
  [
    'another recipient behind an allowed one',
    () => sent([sol(5n, friend), sol(5n, thief)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'a blocked recipient',
    () => sent([sol(5n, friend)]),
    'recipient_blocked',
    { organization: { blocked_recipients: [friend] } },
  ],
  [
    'SOL of an account made from a seed',
    () =>
      sent([
        system.getTransferSolWithSeedInstruction({
          source,
          baseAccount: wallet,
          destination: friend,
          amount: 1001n,
          fromSeed: 'x',
          fromOwner: system.SYSTEM_PROGRAM_ADDRESS,
        }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'SOL of another signer',
    () => sent([system.getTransferSolInstruction({ source: other, destination: friend, amount: 1001n })]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a price of gas within the cap',
    () =>
      sent([
        getSetComputeUnitLimitInstruction({ units: 1000 }),
        getSetComputeUnitPriceInstruction({ microLamports: 5_000_000n }),
        sol(1n, friend),
      ]),
    'allowed',
    capped,
    cost(1n),
  ],
  [
    'a price of gas over the cap',
    () =>
      sent([
        getSetComputeUnitLimitInstruction({ units: 1001 }),
        getSetComputeUnitPriceInstruction({ microLamports: 5_000_000n }),
        sol(1n, friend),
      ]),
    'fee_cap_exceeded',
    capped,
  ],
  [
    'a price of gas without a limit',
    () => sent([getSetComputeUnitPriceInstruction({ microLamports: 5_000_000n }), sol(1n, friend)]),
    'fee_cap_exceeded',
    capped,
  ],
  [
    'a byte behind a price of gas over the cap, which the runtime does not read',
    () => {
      const price = getSetComputeUnitPriceInstruction({ microLamports: 5_000_000n })
      return sent([{ ...price, data: Uint8Array.from([...price.data, 0]) }, sol(1n, friend)])
    },
    'fee_cap_exceeded',
    capped,
  ],
  [
    'a fee that another pays',
    () => sent([getSetComputeUnitPriceInstruction({ microLamports: 5_000_000n }), sol(1n, friend)], thief),
    'allowed',
    capped,
    cost(1n),
  ],
  [
    'a memo',
    () => sent([getAddMemoInstruction({ memo: 'order 7' }), sol(1n, friend)]),
    'allowed',
    toFriend,
    cost(1n),
  ],
  ['USDC', () => sent([usd(500n)]), 'allowed', usdcOnly, usdcCost(500n)],
  ['USDC over its cap', () => sent([usd(501n)]), 'token_cap_exceeded', usdcOnly],
  [
    'USDC twice, over its cap together',
    () => sent([usd(300n), usd(300n, source)]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  ['another token', () => sent([usd(1n, destination, mint)]), 'token_not_allowed', usdcOnly],
  ['USDC where no token is listed', () => sent([usd(1n)]), 'token_not_allowed', { session: {} }],
  [
    'USDC where tokens are off',
    () => sent([usd(1n)]),
    'token_transfers_disabled',
    { ...usdcOnly, organization: { token_mode: 'none' } },
  ],
  [
    'a token that the bytes do not name',
    () => sent([token.getTransferInstruction({ source, destination, authority: wallet, amount: 1n })]),
    'payload_undecodable',
    usdcOnly,
  ],
  [
    'USDC to an account that is not the recipient’s',
    () => sent([usd(1n)]),
    'recipient_not_allowed',
    session({ ...openUsdc.session, allowed_recipients: [friend] }),
  ],
  [
    'USDC to an account that may be a blocked recipient’s',
    () => sent([usd(1n)]),
    'recipient_blocked',
    { ...openUsdc, organization: { token_mode: 'any', blocked_recipients: [thief] } },
  ],
  [
    'USDC to a blocked recipient whose account is opened',
    () => sent([opened(thief), usd(1n)]),
    'recipient_blocked',
    { ...openUsdc, organization: { token_mode: 'any', blocked_recipients: [thief] } },
  ],
  [
    'USDC to one who is not blocked and whose account is opened',
    () => sent([opened(friend), usd(1n)]),
    'allowed',
    { ...openUsdc, organization: { token_mode: 'any', blocked_recipients: [thief] } },
    { ...usdcCost(1n), 'native SOL/9': rent },
  ],
  [
    'USDC to a recipient whose account is opened',
    () => sent([opened(friend), usd(1n)]),
    'allowed',
    session({ ...openUsdc.session, allowed_recipients: [friend] }),
    { ...usdcCost(1n), 'native SOL/9': rent },
  ],
  [
    'USDC to another whose account is opened',
    () => sent([opened(thief), usd(1n)]),
    'recipient_not_allowed',
    session({ ...openUsdc.session, allowed_recipients: [friend] }),
  ],
  [
    'a recipient’s account is opened, and another one paid',
    () => sent([opened(friend, account), usd(1n)]),
    'recipient_not_allowed',
    session({ ...openUsdc.session, allowed_recipients: [friend] }),
  ],
  ['the rent of others’ accounts over the cap', () => sent([opened(friend)]), 'per_tx_cap_exceeded', capped],
  [
    'USDC of another by a delegation',
    () => sent([token.getTransferCheckedInstruction({ ...checked, source: account, amount: 501n })]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  [
    'a finite approval',
    () =>
      sent([
        token.getApproveCheckedInstruction({
          source,
          mint: usdc,
          delegate: friend,
          owner: wallet,
          amount: 500n,
          decimals: 6,
        }),
      ]),
    'allowed',
    usdcOnly,
    usdcCost(500n),
  ],
  [
    'a finite approval over the cap',
    () =>
      sent([
        token.getApproveCheckedInstruction({
          source,
          mint: usdc,
          delegate: friend,
          owner: wallet,
          amount: 501n,
          decimals: 6,
        }),
      ]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  [
    'an approval to somebody who is not an allowed recipient',
    () =>
      sent([
        token.getApproveCheckedInstruction({
          source,
          mint: usdc,
          delegate: thief,
          owner: wallet,
          amount: 1n,
          decimals: 6,
        }),
      ]),
    'recipient_not_allowed',
    session({ ...openUsdc.session, allowed_recipients: [friend] }),
  ],
  [
    'an unlimited approval',
    () =>
      sent([
        token.getApproveCheckedInstruction({
          source,
          mint: usdc,
          delegate: friend,
          owner: wallet,
          amount: 2n ** 64n - 1n,
          decimals: 6,
        }),
      ]),
    'approval_not_allowed',
    openUsdc,
  ],
  [
    'an approval of a token that the bytes do not name',
    () => sent([token.getApproveInstruction({ source, delegate: friend, owner: wallet, amount: 1n })]),
    'payload_undecodable',
    openUsdc,
  ],
  [
    'an approval that ends',
    () => sent([token.getRevokeInstruction({ source, owner: wallet })]),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
  [
    'another owner of a token account',
    () =>
      sent([
        token.getSetAuthorityInstruction({
          owned: source,
          owner: wallet,
          authorityType: token.AuthorityType.AccountOwner,
          newAuthority: thief,
        }),
      ]),
    'account_admin_not_allowed',
    openUsdc,
  ],
  [
    'an own token account that closes',
    () => sent([token.getCloseAccountInstruction({ account: source, destination: own, owner: wallet })]),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
  [
    'a token account that closes to another',
    () => sent([token.getCloseAccountInstruction({ account: source, destination: friend, owner: wallet })]),
    'payload_undecodable',
    toFriend,
  ],
  [
    'tokens that are burnt',
    () =>
      sent([
        token.getBurnCheckedInstruction({
          account: source,
          mint: usdc,
          authority: wallet,
          amount: 501n,
          decimals: 6,
        }),
      ]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  [
    'tokens that are minted',
    () => sent([token.getMintToInstruction({ mint, token: destination, mintAuthority: wallet, amount: 5n })]),
    'contract_call_not_allowed',
    openUsdc,
  ],
  [
    'an account that is frozen',
    () => sent([token.getFreezeAccountInstruction({ account: destination, mint, owner: wallet })]),
    'contract_call_not_allowed',
    openUsdc,
  ],
  ['Token-2022 with its mint', () => sent([on2022(usd(500n))]), 'allowed', usdcOnly, usdcCost(500n)],
  ['Token-2022 over the cap', () => sent([on2022(usd(501n))]), 'token_cap_exceeded', usdcOnly],
  [
    'an unknown extension of Token-2022',
    () =>
      sent([
        {
          programAddress: token2022,
          accounts: [{ address: source, role: AccountRole.WRITABLE }, signer],
          data: Uint8Array.of(27, 7),
        },
      ]),
    'payload_undecodable',
    openUsdc,
  ],
  [
    'SOL that is wrapped for another',
    () => sent([opened(thief, destination, wrapped), sol(1001n, destination)]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['wrapped SOL', () => sent([usd(1n, destination, wrapped)]), 'token_not_allowed', usdcOnly],
]

const devnetRows: readonly TransactionRow[] = [
  [
    'the test network while the main one is blocked',
    () => sent([sol(1n, friend)]),
    'chain_blocked',
    { organization: { blocked_chains: ['solana'] } },
  ],
  [
    'a token that is listed for the main network',
    () => sent([usd(500n)]),
    'allowed',
    usdcOnly,
    usdcCost(500n),
  ],
  ['a token over the main network’s cap', () => sent([usd(501n)]), 'token_cap_exceeded', usdcOnly],
]

/** Solana: programs, look-up tables, nonces, token accounts, authorities. */
export const solanaCases: readonly CorpusCase[] = [
  ...transactionCases('solana', rows),
  ...transactionCases('solana-devnet', devnetRows),
]
