import { AccountRole } from '@solana/kit'
import * as token from '@solana-program/token'
import { own, sol } from '@symbolon/networks/testing/solana-effects'
import { solanaAddress } from '@symbolon/networks/testing/solana-transaction'
import type { CorpusCase } from './corpus-case.ts'
import {
  cost,
  destination,
  opened,
  opened2022,
  rent,
  sent,
  thief,
  toFriend,
  wrapped,
} from './solana-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const capOf = (lamports: bigint) =>
  session({ max_spend_per_tx_native: String(lamports), allowed_recipients: [] })
const wrapping = sent([
  opened(own, destination, wrapped),
  sol(1001n, destination),
  token.getSyncNativeInstruction({ account: destination }),
])

const rows: readonly TransactionRow[] = [
  ['an own token account', () => sent([opened(own)]), 'allowed', toFriend, cost(rent)],
  [
    'ten own accounts of Token-2022 where nothing may be spent',
    () =>
      sent(
        Array.from({ length: 10 }, (_, index) =>
          opened2022(own, solanaAddress(40 + index), solanaAddress(60 + index)),
        ),
      ),
    'per_tx_cap_exceeded',
    session({ max_spend_per_tx_native: '0', max_spend_total_native: '0' }),
  ],
  [
    'ten own accounts of Token-2022 within the cap',
    () =>
      sent(
        Array.from({ length: 10 }, (_, index) =>
          opened2022(own, solanaAddress(40 + index), solanaAddress(60 + index)),
        ),
      ),
    'allowed',
    session({ max_spend_per_tx_native: '22898400', allowed_recipients: [] }),
    cost(22_898_400n),
  ],
  [
    'an own token account that another pays for',
    () =>
      sent([
        {
          ...opened(own),
          accounts: [{ address: thief, role: AccountRole.WRITABLE_SIGNER }, ...opened(own).accounts.slice(1)],
        },
      ]),
    'allowed',
    session({ max_spend_per_tx_native: '0', allowed_recipients: [] }),
    { transactions: 1n },
  ],
  ['SOL that is wrapped for the wallet', () => wrapping, 'per_tx_cap_exceeded', capOf(rent + 1000n)],
  ['SOL that is wrapped within the cap', () => wrapping, 'allowed', capOf(rent + 1001n), cost(rent + 1001n)],
  ['SOL that the wallet pays to itself', () => sent([sol(5n, own)]), 'recipient_not_allowed', capOf(5n)],
  [
    'SOL that the wallet pays to itself beyond the cap',
    () => sent([sol(5n, own)]),
    'per_tx_cap_exceeded',
    session({ max_spend_per_tx_native: '4' }),
  ],
  [
    'nothing that the wallet pays to itself',
    () => sent([sol(0n, own)]),
    'allowed',
    capOf(0n),
    { transactions: 1n },
  ],
]

/** Solana: what the wallet's own token accounts cost. */
export const solanaRentCases: readonly CorpusCase[] = transactionCases('solana', rows)
