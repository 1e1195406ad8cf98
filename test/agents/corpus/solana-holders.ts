import type { Instruction } from '@solana/kit'
import * as token from '@solana-program/token'
import { own, wallet } from '@symbolon/networks/testing/solana-effects'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import {
  account,
  associated,
  destination,
  friend,
  mint,
  on2022,
  opened,
  sent,
  source,
  thief,
  token2022,
  usd,
  usdc,
  usdcCost,
  wrapped,
} from './solana-payloads.ts'
import { type TransactionRow, transactionCases } from './transaction-cases.ts'

const [friends, friends2022, friendsWrapped, friendsMint, thiefs, owns] = await Promise.all([
  associated(friend),
  associated(friend, usdc, token2022),
  associated(friend, wrapped),
  associated(friend, mint),
  associated(thief),
  associated(own),
])

const evm = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Lists of recipients where all tokens are open. */
const lists = (allowed: readonly string[] | null, blocked: readonly string[] = []): CorpusLayers => ({
  organization: { token_mode: 'any', blocked_recipients: blocked },
  session: allowed === null ? {} : { allowed_recipients: allowed },
})
const toFriend = lists([friend])
const withFee = (amount: bigint, to: typeof destination): Instruction => {
  const { accounts } = usd(amount, to)
  const numbers = new DataView(new ArrayBuffer(19))
  numbers.setUint8(0, 26)
  numbers.setUint8(1, 1)
  numbers.setBigUint64(2, amount, true)
  numbers.setUint8(10, 6)
  return { programAddress: token2022, accounts, data: new Uint8Array(numbers.buffer) }
}

const allowedRows: readonly TransactionRow[] = [
  ['to the recipient’s own account', () => sent([usd(5n, friends)]), 'allowed', toFriend, usdcCost(5n)],
  [
    'to the recipient’s own account in a legacy message',
    () => sent([usd(5n, friends)], own, { version: 'legacy' }),
    'allowed',
    toFriend,
    usdcCost(5n),
  ],
  [
    'to the recipient’s own account of Token-2022',
    () => sent([on2022(usd(5n, friends2022))]),
    'allowed',
    toFriend,
    usdcCost(5n),
  ],
  [
    'with a fee to the recipient’s own account of Token-2022',
    () => sent([withFee(5n, friends2022)]),
    'allowed',
    toFriend,
    usdcCost(5n),
  ],
  [
    'wrapped SOL to the recipient’s own account',
    () => sent([usd(5n, friendsWrapped, wrapped)]),
    'allowed',
    toFriend,
    { [`token solana ${wrapped}`]: 5n, transactions: 1n },
  ],
  ['to the wallet’s own account, listed', () => sent([usd(5n, owns)]), 'allowed', lists([own]), usdcCost(5n)],
  ['to the wallet’s own account, not listed', () => sent([usd(5n, owns)]), 'recipient_not_allowed', toFriend],
  ['to the account of another', () => sent([usd(5n, thiefs)]), 'recipient_not_allowed', toFriend],
  [
    'to the account of another behind the recipient’s',
    () => sent([usd(5n, friends), usd(5n, thiefs)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'to the recipient’s account of another token',
    () => sent([usd(5n, friendsMint)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'of another token to the recipient’s account',
    () => sent([usd(5n, friends, mint)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'to the recipient’s account of Token-2022 by the other program',
    () => sent([usd(5n, friends2022)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'of Token-2022 to the recipient’s account of the other program',
    () => sent([on2022(usd(5n, friends))]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'to a token account that is not derived',
    () => sent([usd(5n, destination)]),
    'recipient_not_allowed',
    toFriend,
  ],
  ['to the recipient’s wallet itself', () => sent([usd(5n, friend)]), 'allowed', toFriend, usdcCost(5n)],
  [
    'to a token account that is listed itself',
    () => sent([usd(5n, destination)]),
    'allowed',
    lists([destination]),
    usdcCost(5n),
  ],
  [
    'to the recipient’s account behind a look-up table',
    () => sent([usd(5n, friends)], own, { tables: { [account]: [friends] } }),
    'payload_undecodable',
    toFriend,
  ],
  [
    'of a mint behind a look-up table',
    () => sent([usd(5n, friends)], own, { tables: { [account]: [usdc] } }),
    'payload_undecodable',
    toFriend,
  ],
  [
    'without naming the token, to the recipient’s account',
    () =>
      sent([token.getTransferInstruction({ source, destination: friends, authority: wallet, amount: 5n })]),
    'payload_undecodable',
    toFriend,
  ],
  [
    'to the recipient’s account, which is opened for another',
    () => sent([opened(thief, friends), usd(5n, friends)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'where the agent lists the recipient and the session another',
    () => sent([usd(5n, friends)]),
    'recipient_not_allowed',
    { ...lists([thief]), agent: { allowed_recipients: [friend] } },
  ],
  [
    'where agent and session list the recipient',
    () => sent([usd(5n, friends)]),
    'allowed',
    { ...lists([thief, friend]), agent: { allowed_recipients: [friend] } },
    usdcCost(5n),
  ],
  [
    'where the agent lists the recipient and the session its account',
    () => sent([usd(5n, friends)]),
    'recipient_not_allowed',
    { ...lists([friends]), agent: { allowed_recipients: [friend] } },
  ],
  ['where nobody is allowed', () => sent([usd(5n, friends)]), 'recipient_not_allowed', lists([])],
]

const blockedRows: readonly TransactionRow[] = [
  [
    'to the recipient’s own account while another is blocked',
    () => sent([usd(5n, friends)]),
    'allowed',
    lists([friend], [thief, evm]),
    usdcCost(5n),
  ],
  [
    'to the account of somebody who is both allowed and blocked',
    () => sent([usd(5n, friends)]),
    'recipient_blocked',
    lists([friend], [friend]),
  ],
  [
    'to a blocked account of one who is allowed',
    () => sent([usd(5n, friends)]),
    'recipient_blocked',
    lists([friend], [friends]),
  ],
  [
    'to a blocked account that is opened for one who is allowed',
    () => sent([opened(friend, friends), usd(5n, friends)]),
    'recipient_blocked',
    lists([friend], [friends]),
  ],
  [
    'to the blocked one’s own account',
    () => sent([usd(5n, thiefs)]),
    'recipient_blocked',
    lists(null, [thief]),
  ],
  [
    'to nobody known while an account of Solana is blocked',
    () => sent([usd(5n, destination)]),
    'recipient_blocked',
    lists(null, [evm, thief]),
  ],
  [
    'to nobody known while only accounts of other networks are blocked',
    () => sent([usd(5n, destination)]),
    'allowed',
    lists(null, [evm, 'thief.near', 'ab'.repeat(32)]),
    usdcCost(5n),
  ],
  [
    'to a blocked token account',
    () => sent([usd(5n, destination)]),
    'recipient_blocked',
    lists(null, [destination]),
  ],
  [
    'to nobody known who is on no list, while another is blocked',
    () => sent([usd(5n, destination)]),
    'recipient_not_allowed',
    lists([friend], [thief]),
  ],
  [
    'to a listed token account that may be the blocked one’s',
    () => sent([usd(5n, destination)]),
    'recipient_blocked',
    lists([destination], [thief]),
  ],
  [
    'of a blocked token to the recipient’s own account',
    () => sent([usd(5n, friends)]),
    'recipient_blocked',
    lists([friend], [usdc]),
  ],
]

const named = (rows: readonly TransactionRow[], what: string): readonly TransactionRow[] =>
  rows.map(([name, ...rest]) => [`${what} ${name}`, ...rest])

/** Solana: token accounts that exist, whose holder no instruction names. */
export const solanaHolderCases: readonly CorpusCase[] = [
  ...transactionCases('solana', named([...allowedRows, ...blockedRows], 'USDC')),
  ...transactionCases('solana-devnet', named(allowedRows.slice(0, 1), 'USDC')),
]
