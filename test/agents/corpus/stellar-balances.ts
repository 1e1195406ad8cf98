import { Claimant, Operation } from '@stellar/stellar-base'
import type { CorpusCase } from './corpus-case.ts'
import { capped, friend, issuer, native, sent, thief, toFriend, wallet, xlm } from './stellar-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  [
    'a balance for several, of whom one is the wallet',
    () =>
      sent([
        Operation.createClaimableBalance({
          asset: native,
          amount: '0.0001001',
          claimants: [new Claimant(wallet), new Claimant(thief)],
        }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a balance for somebody who is not an allowed recipient',
    () =>
      sent([
        Operation.createClaimableBalance({
          asset: native,
          amount: '0.0000001',
          claimants: [new Claimant(friend), new Claimant(thief)],
        }),
      ]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'a balance of next to nothing, which binds 0.5 XLM for each claimant',
    () =>
      sent([
        Operation.createClaimableBalance({
          asset: native,
          amount: '0.0000001',
          claimants: [
            new Claimant(friend),
            new Claimant(friend, Claimant.predicateNot(Claimant.predicateUnconditional())),
          ],
        }),
      ]),
    'per_tx_cap_exceeded',
    session({ max_spend_per_tx_native: '10000000' }),
  ],
  [
    'a balance within the cap with the reserves of its claimants',
    () =>
      sent([
        Operation.createClaimableBalance({
          asset: native,
          amount: '0.0000001',
          claimants: [new Claimant(friend), new Claimant(issuer)],
        }),
      ]),
    'allowed',
    session({ max_spend_per_tx_native: '10000001', allowed_recipients: [friend, issuer] }),
    xlm(10_000_001n),
  ],
  [
    'a balance that is claimed',
    () => sent([Operation.claimClaimableBalance({ balanceId: `00000000${'ab'.repeat(32)}` })]),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
]

/** Stellar: claimable balances, with the reserves that their claimants bind. */
export const stellarBalanceCases: readonly CorpusCase[] = transactionCases('stellar', rows)
