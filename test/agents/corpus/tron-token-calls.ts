import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'
import {
  account,
  allowed,
  called,
  friend,
  friendText,
  owner,
  router,
  selector,
  thief,
  usdt,
  usdtCost,
  usdtOnly,
  word,
} from './tron-payloads.ts'

const routerHex = `41${'cc'.repeat(20)}`

const rows: readonly TransactionRow[] = [
  [
    'a method of an allowed contract that is a token too',
    () => called('withdrawAll()', ''),
    'contract_call_not_allowed',
    session({ ...usdtOnly.session, ...allowed(usdt).session }),
  ],
  [
    'the same, named',
    () => called('withdrawAll()', ''),
    'allowed',
    session({ ...usdtOnly.session, ...allowed(usdt, [selector('withdrawAll()')]).session }),
    { transactions: 1n },
  ],
  [
    'tokens that are burnt',
    () => called('burn(uint256)', word(501n)),
    'token_cap_exceeded',
    session({ ...usdtOnly.session, ...allowed(usdt).session }),
  ],
  [
    'shares that are redeemed for the wallet',
    () => called('redeem(uint256,address,address)', word(5n) + account(owner) + account(owner)),
    'allowed',
    session({ ...usdtOnly.session, ...allowed(usdt).session, allowed_recipients: [friendText] }),
    usdtCost(5n),
  ],
  ...(
    [
      ['withdrawTo(address,uint256)', account(thief) + word(5n)],
      ['redeem(uint256,address,address)', word(5n) + account(thief) + account(owner)],
      ['burn(uint256)', word(5n)],
    ] as const
  ).map(
    ([signature, args]): TransactionRow => [
      `${signature} with a byte behind it, named`,
      () => called(signature, `${args}00`),
      'payload_undecodable',
      session({
        ...usdtOnly.session,
        ...allowed(usdt, [selector(signature)]).session,
        allowed_recipients: [friendText],
      }),
    ],
  ),
  [
    'shares of a vault for a stranger',
    () => called('deposit(uint256,address)', word(5n) + account(thief), {}, router),
    'recipient_not_allowed',
    session({ ...allowed().session, allowed_recipients: [friendText] }),
  ],
  ...(
    [
      ['deposit(uint256,address)', word(5n) + account(routerHex)],
      ['withdrawTo(address,uint256)', account(routerHex) + word(5n)],
      ['depositFor(address,uint256)', account(routerHex) + word(5n)],
    ] as const
  ).map(
    ([signature, args]): TransactionRow => [
      `${signature} for the contract itself`,
      () => called(signature, args, {}, router),
      'recipient_not_allowed',
      session({ ...allowed().session, allowed_recipients: [friendText] }),
    ],
  ),
  [
    'data for who gets tokens',
    () =>
      called(
        'transferAndCall(address,uint256,bytes)',
        account(friend) + word(5n) + word(96n) + word(1n) + '01'.padEnd(64, '0'),
      ),
    'contract_call_not_allowed',
    session({ ...usdtOnly.session, allowed_recipients: [friendText] }),
  ],
  [
    'shares of a vault for a recipient',
    () => called('deposit(uint256,address)', word(5n) + account(friend), {}, router),
    'allowed',
    session({ ...allowed().session, allowed_recipients: [friendText] }),
    { transactions: 1n },
  ],
]

/** Tron: tokens that leave by other methods than those of TRC-20. */
export const tronTokenCalls: readonly CorpusCase[] = transactionCases('tron', rows)
