import { Asset, Operation } from '@stellar/stellar-base'
import type { CorpusCase } from './corpus-case.ts'
import { friend, native, path, sent, thief, toFriend, usd, usdOnly, wallet, xlm } from './stellar-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  ...(
    [
      ['an asset of a stranger', { sendAsset: native, destAsset: new Asset('SCAM', thief) }],
      ['XLM by way of one', { sendAsset: native, destAsset: native, path: [new Asset('SCAM', thief)] }],
      ['XLM for an asset', { sendAsset: usd, destAsset: native }],
    ] as const
  ).flatMap(([name, assets]): TransactionRow[] => {
    const layers = session({ ...usdOnly.session, ...toFriend.session })
    const least = '0.0000001'
    return [
      [
        `a path to a recipient, who gets ${name}`,
        () => sent([Operation.pathPaymentStrictSend(path({ ...assets, sendAmount: least, destMin: least }))]),
        'recipient_not_allowed',
        layers,
      ],
      [
        `a path to a recipient, who gets so much of ${name}`,
        () =>
          sent([Operation.pathPaymentStrictReceive(path({ ...assets, sendMax: least, destAmount: least }))]),
        'recipient_not_allowed',
        layers,
      ],
    ]
  }),
  [
    'a path of one asset to a recipient',
    () =>
      sent([
        Operation.pathPaymentStrictSend(
          path({ sendAsset: native, destAsset: native, sendAmount: '0.0000005', destMin: '0.0000005' }),
        ),
      ]),
    'allowed',
    toFriend,
    xlm(5n),
  ],
  [
    'a path to the wallet itself where one is blocked',
    () =>
      sent([
        Operation.pathPaymentStrictSend(
          path({ sendAmount: '0.0000001', destMin: '0.0000001', destination: wallet }),
        ),
      ]),
    'recipient_blocked',
    { organization: { blocked_recipients: [friend] } },
  ],
]

/** Stellar: payments along a path of offers, which anybody may have made. */
export const stellarPathCases: readonly CorpusCase[] = transactionCases('stellar', rows)
