import {
  Account,
  Asset,
  Claimant,
  getLiquidityPoolId,
  Keypair,
  LiquidityPoolAsset,
  Memo,
  MuxedAccount,
  Networks,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-base'
import { describe, expect, test } from 'vitest'
import { decodeForAgent, policyNames, preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'

const pairs = [1, 2, 3].map((index) =>
  Keypair.fromRawEd25519Seed(Buffer.from(testKey('ed25519', index).privateKey)),
)
const [wallet = '', alice = '', issuer = ''] = pairs.map((pair) => pair.publicKey())
const { publicKey } = testKey('ed25519', 1)
const usd = new Asset('USD', issuer)
const muxed = new MuxedAccount(new Account(alice, '0'), '77').accountId()
const id = 'ab'.repeat(32)

type Options = {
  memo?: Memo
  fee?: string
  end?: number
  passphrase?: string
  edit?: (bytes: Uint8Array) => Uint8Array
}

const shown = (operations: xdr.Operation[], options: Options = {}) =>
  preview(intentOf(operations, options), 'ed25519', publicKey)

function intentOf(operations: xdr.Operation[], options: Options = {}) {
  const { memo = Memo.none(), fee = '100', end = 0, passphrase = Networks.PUBLIC } = options
  const builder = new TransactionBuilder(new Account(wallet, '7'), {
    fee,
    networkPassphrase: passphrase,
    memo,
  })
  for (const operation of operations) builder.addOperation(operation)
  const bytes = Uint8Array.from(builder.setTimebounds(0, end).build().toEnvelope().toXDR())
  const edited = options.edit?.(bytes) ?? bytes
  return { kind: 'transaction', network: 'stellar', chain: 'stellar', bytes: edited } as const
}

describe('payments', () => {
  test('a payment of the native asset has its memo, fee and expiry', () => {
    const payment = Operation.payment({ destination: alice, asset: Asset.native(), amount: '1.5' })
    expect(shown([payment], { memo: Memo.text('order 7'), end: 1_800_000_000 })).toEqual({
      title: 'Send 1.5 XLM',
      chain: 'stellar',
      from: wallet,
      actions: [
        {
          kind: 'transfer',
          to: alice,
          asset: 'XLM',
          amount: '15000000',
          amount_display: '1.5 XLM',
          method: 'payment',
          args: { memo_type: 'text', memo: 'order 7' },
        },
      ],
      fee: { asset: 'XLM', amount: '100' },
      warnings: [],
      expires_at: '2027-01-15T08:00:00.000Z',
    })
  })

  test('an issued asset is named with its issuer, and by its code alone only where the issuer is known', () => {
    const circle = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
    const send = (asset: Asset) =>
      shown([Operation.payment({ destination: alice, asset, amount: '2' })]).actions[0]
    expect(send(usd)).toMatchObject({ asset: `USD:${issuer}`, amount_display: `2 USD:${issuer}` })
    expect(send(new Asset('USDC', circle))).toMatchObject({
      asset: `USDC:${circle}`,
      amount_display: '2 USDC',
    })
    expect(send(new Asset('USDC', issuer))).toMatchObject({ amount_display: `2 USDC:${issuer}` })
  })

  test('a muxed recipient is its account, so that no list of accounts is passed by', () => {
    const payment = Operation.payment({ destination: muxed, asset: usd, amount: '2' })
    expect(shown([payment]).actions[0]).toMatchObject({ to: alice, args: { muxed_to: muxed } })
  })

  test('a policy sees which customer of an account is paid, and knows the account by its key', () => {
    const sentTo = (destination: string) => {
      const send = { sendAsset: usd, sendAmount: '4', destAsset: usd, destMin: '4', path: [], destination }
      const receive = { ...send, sendMax: '4', destAmount: '4' }
      const operations = [
        Operation.payment({ destination, asset: usd, amount: '2' }),
        Operation.pathPaymentStrictSend(send),
        Operation.pathPaymentStrictReceive(receive),
      ]
      return decodeForAgent(intentOf(operations), 'ed25519', publicKey).effects.map(({ to }) => to)
    }
    expect(sentTo(muxed)).toEqual([muxed, muxed, muxed])
    expect(sentTo(alice)).toEqual([alice, alice, alice])
    expect(policyNames.addressKey(muxed)).toBe(alice)
    expect(policyNames.recipientKeys(muxed)).toEqual([muxed, alice])
    expect(policyNames.recipientKeys(alice)).toEqual([alice])
    const wrong = muxed.replace(/.$/, '2')
    expect(policyNames.recipientKeys(wrong)).toEqual([wrong])
  })

  test('a path payment counts the most that it can send', () => {
    const path = [new Asset('EUR', issuer)]
    const receive = {
      sendAsset: Asset.native(),
      sendMax: '9',
      destination: alice,
      destAsset: usd,
      destAmount: '3',
      path,
    }
    expect(shown([Operation.pathPaymentStrictReceive(receive)]).actions[0]).toMatchObject({
      kind: 'transfer',
      asset: 'XLM',
      amount: '90000000',
      args: { receives: `3 USD:${issuer}`, path: `EUR:${issuer}` },
    })
    const send = {
      sendAsset: usd,
      sendAmount: '4',
      destination: alice,
      destAsset: Asset.native(),
      destMin: '1',
      path: [],
    }
    expect(shown([Operation.pathPaymentStrictSend(send)]).actions[0]).toMatchObject({
      asset: `USD:${issuer}`,
      amount: '40000000',
      args: { receives_at_least: '1 XLM' },
    })
  })

  test('a claimable balance names every claimant and counts its amount once', () => {
    const claimants = [
      new Claimant(alice),
      new Claimant(issuer, Claimant.predicateBeforeAbsoluteTime('1800000000')),
    ]
    const { actions } = shown([
      Operation.createClaimableBalance({ asset: Asset.native(), amount: '5', claimants }),
    ])
    expect(actions.map(({ kind, to, amount }) => [kind, to, amount])).toEqual([
      ['transfer', alice, '50000000'],
      ['transfer', issuer, '0'],
    ])
    expect(actions[1]?.args).toMatchObject({ claimable: 'before 2027-01-15T08:00:00.000Z' })
  })

  test('a fee above a tenth of what is sent is a warning', () => {
    const payment = Operation.payment({ destination: alice, asset: Asset.native(), amount: '0.0001' })
    expect(shown([payment]).warnings).toEqual([])
    expect(shown([payment], { fee: '101' }).warnings).toEqual([
      'The fee can reach 0.0000101 XLM, above 10% of what is sent.',
    ])
  })
})

describe('offers, trust and pools', () => {
  const offer = { selling: Asset.native(), buying: usd, price: { n: 3, d: 7 } }
  test('an offer lets others take what it sells; a buying one at most its amount at its price, rounded up', () => {
    expect(shown([Operation.manageSellOffer({ ...offer, amount: '10' })]).actions).toMatchObject([
      { kind: 'approval', asset: 'XLM', amount: '100000000', to: null, args: { price: '3/7' } },
    ])
    expect(shown([Operation.createPassiveSellOffer({ ...offer, amount: '10' })]).actions[0]?.amount).toBe(
      '100000000',
    )
    expect(shown([Operation.manageBuyOffer({ ...offer, buyAmount: '0.0000001' })]).actions).toMatchObject([
      { kind: 'approval', asset: 'XLM', amount: '1' },
    ])
    expect(shown([Operation.manageBuyOffer({ ...offer, buyAmount: '0.0000010' })]).actions[0]?.amount).toBe(
      '5',
    )
    const closed = shown([Operation.manageSellOffer({ ...offer, amount: '0', offerId: '12' })]).actions
    expect(closed).toMatchObject([{ kind: 'call', amount: null, args: { offer: '12' } }])
  })

  test('a trustline is an approval with its limit and a warning', () => {
    const { actions, warnings } = shown([Operation.changeTrust({ asset: usd })])
    expect(actions).toMatchObject([
      { kind: 'approval', to: issuer, asset: `USD:${issuer}`, amount: null, args: { limit: 'unlimited' } },
    ])
    expect(warnings).toHaveLength(1)
    expect(shown([Operation.changeTrust({ asset: usd, limit: '3' })]).actions[0]?.amount).toBe('30000000')
    expect(shown([Operation.changeTrust({ asset: usd, limit: '0' })]).title).toBe(
      `Stop trusting USD:${issuer}`,
    )
  })

  test('shares of a pool are its id, when they are trusted and when they are given back', () => {
    const pool = new LiquidityPoolAsset(Asset.native(), usd, 30)
    const poolId = getLiquidityPoolId('constant_product', pool.getLiquidityPoolParameters()).toString('hex')
    const trusted = shown([Operation.changeTrust({ asset: pool })])
    const withdrawal = { liquidityPoolId: poolId, amount: '1', minAmountA: '0', minAmountB: '0' }
    const asset = shown([Operation.liquidityPoolWithdraw(withdrawal)]).actions[0]?.asset
    expect(asset).toMatch(/^L[A-Z2-7]{55}$/)
    expect(trusted.actions).toMatchObject([{ asset, to: null, args: { pool: `XLM/USD:${issuer}/30` } }])
    expect(trusted.warnings).toEqual([`The account will take shares of the pool XLM/USD:${issuer}/30.`])
  })

  test('a deposit into a pool is unknown: its assets are not in the bytes', () => {
    const deposit = { liquidityPoolId: id, maxAmountA: '1', maxAmountB: '2', minPrice: 1, maxPrice: 2 }
    expect(shown([Operation.liquidityPoolDeposit(deposit)])).toMatchObject({
      actions: [{ kind: 'unknown', args: { max_a: '10000000', max_b: '20000000' } }],
      warnings: ['The transaction does not say which assets the liquidity pool holds.'],
    })
  })
})

describe('traps', () => {
  test.each([
    ['a signer', { signer: { ed25519PublicKey: alice, weight: 1 } }],
    ['a weight of the own key', { masterWeight: 0 }],
    ['a low threshold', { lowThreshold: 1 }],
    ['a medium threshold', { medThreshold: 1 }],
    ['a high threshold', { highThreshold: 1 }],
  ])('set_options with %s is a takeover', (_, options) => {
    const { actions, warnings, title } = shown([Operation.setOptions(options)])
    expect(actions).toMatchObject([{ kind: 'admin', method: 'set_options' }])
    expect(warnings[0]).toMatch(/^Account takeover/)
    expect(title).toBe('Change who controls the account')
  })

  test('closing the account sends all of it, and says so', () => {
    const { actions, warnings } = shown([Operation.accountMerge({ destination: alice })])
    expect(actions).toMatchObject([{ kind: 'admin', asset: 'XLM', amount: null, to: alice }])
    expect(warnings[0]).toContain('closes')
  })

  test.each([
    Operation.bumpSequence({ bumpTo: '9223372036854775807' }),
    Operation.beginSponsoringFutureReserves({ sponsoredId: alice }),
    Operation.allowTrust({ trustor: alice, assetCode: 'USD', authorize: 1 }),
    Operation.setTrustLineFlags({ trustor: alice, asset: usd, flags: { authorized: false } }),
    Operation.clawback({ asset: usd, from: alice, amount: '1' }),
    Operation.clawbackClaimableBalance({ balanceId: `00000000${id}` }),
    Operation.setOptions({ homeDomain: 'example.org' }),
  ])('an operation of authority is admin with a warning', (operation) => {
    const { actions, warnings } = shown([operation])
    expect(actions).toMatchObject([{ kind: 'admin' }])
    expect(warnings).toHaveLength(1)
  })

  test('an operation for another account says whose it is', () => {
    const { actions, warnings } = shown([
      Operation.payment({ destination: wallet, asset: usd, amount: '1', source: alice }),
    ])
    expect(actions[0]?.args).toMatchObject({ source: alice })
    expect(warnings).toEqual([`This acts for ${alice}, not for this wallet.`])
  })

  test('of several operations the gravest gives the title', () => {
    const payment = Operation.payment({ destination: alice, asset: usd, amount: '1' })
    const { title } = shown([payment, Operation.setOptions({ masterWeight: 0 }), payment])
    expect(title).toBe('Change who controls the account and 2 more')
  })

  test('a transaction without an operation is refused', () => {
    expect(() => shown([])).toThrow('no operation')
  })

  test('an amount below zero is refused', () => {
    const payment = Operation.payment({ destination: alice, asset: usd, amount: '99.1234567' })
    const edit = (bytes: Uint8Array) => {
      const place = Buffer.from(bytes).indexOf(Buffer.from('000000003b150a07', 'hex'))
      expect(place).toBeGreaterThan(0)
      bytes[place] = 0x80
      return bytes
    }
    expect(() => shown([payment], { edit })).toThrow('negative')
  })

  test('codes of assets are refused in any form but their own', () => {
    const payment = Operation.payment({ destination: alice, asset: usd, amount: '1' })
    const place = (bytes: Uint8Array) => Buffer.from(bytes).indexOf('USD\0')
    for (const [offset, byte] of [
      [3, 0x20],
      [1, 0],
      [0, 0x2d],
    ] as const) {
      const edit = (bytes: Uint8Array) => {
        bytes[place(bytes) + offset] = byte
        return bytes
      }
      expect(() => shown([payment], { edit })).toThrow('code of an asset')
    }
  })
})
