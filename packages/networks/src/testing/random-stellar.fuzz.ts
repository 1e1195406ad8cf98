import {
  Account,
  Address,
  Asset,
  Claimant,
  type FeeBumpTransaction,
  Keypair,
  LiquidityPoolAsset,
  Memo,
  MuxedAccount,
  Networks,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base'
import fc from 'fast-check'

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => Buffer.from(value))
const account = bytes(32).map((value) => StrKey.encodeEd25519PublicKey(value))
const muxed = fc
  .tuple(account, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
  .map(([address, id]) => new MuxedAccount(new Account(address, '0'), id.toString()).accountId())
const destination = fc.oneof(account, muxed)
const asset = fc.oneof(
  fc.constant(Asset.native()),
  fc
    .tuple(fc.stringMatching(/^[A-Za-z0-9]{1,12}$/), account)
    .map(([code, issuer]) => new Asset(code, issuer)),
)
const stroops = fc.oneof(fc.bigInt({ min: 1n, max: 300n }), fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }))
const amount = stroops.map((value) => {
  const digits = value.toString().padStart(8, '0')
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`
})
const price = fc.record({
  n: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  d: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
})
const id = bytes(32).map((value) => value.toString('hex'))
const balanceId = id.map((hash) => `00000000${hash}`)
const path = fc.array(asset, { maxLength: 5 })
const weight = fc.integer({ min: 0, max: 255 })
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })

const predicate: fc.Arbitrary<xdr.ClaimPredicate> = fc.letrec<{ rule: xdr.ClaimPredicate }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3 },
    fc.constant(Claimant.predicateUnconditional()),
    fc.nat().map((seconds) => Claimant.predicateBeforeRelativeTime(seconds.toString())),
    fc.nat().map((seconds) => Claimant.predicateBeforeAbsoluteTime(seconds.toString())),
    tie('rule').map((rule) => Claimant.predicateNot(rule)),
    fc.tuple(tie('rule'), tie('rule')).map(([one, other]) => Claimant.predicateAnd(one, other)),
    fc.tuple(tie('rule'), tie('rule')).map(([one, other]) => Claimant.predicateOr(one, other)),
  ),
})).rule

const signer = fc.oneof(
  fc.record({ ed25519PublicKey: account, weight }),
  fc.record({ sha256Hash: id, weight }),
  fc.record({ preAuthTx: id, weight }),
  fc
    .tuple(bytes(32), fc.uint8Array({ minLength: 1, maxLength: 64 }), weight)
    .map(([key, payload, value]) => ({ ed25519SignedPayload: signedPayload(key, payload), weight: value })),
)

function signedPayload(key: Buffer, payload: Uint8Array): string {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  const padding = Buffer.alloc((4 - (payload.length % 4)) % 4)
  return StrKey.encodeSignedPayload(Buffer.concat([key, length, payload, padding]))
}

const contract = bytes(32).map((value) => StrKey.encodeContract(value))
const value: fc.Arbitrary<xdr.ScVal> = fc.letrec<{ any: xdr.ScVal }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.boolean().map((flag) => xdr.ScVal.scvBool(flag)),
    fc.constant(xdr.ScVal.scvVoid()),
    fc.nat().map((number) => xdr.ScVal.scvU32(number)),
    fc.integer().map((number) => xdr.ScVal.scvI32(number)),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((number) => nativeToScVal(number, { type: 'u64' })),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((number) => nativeToScVal(number, { type: 'i64' })),
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((number) => nativeToScVal(number, { type: 'u128' })),
    fc
      .bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n })
      .map((number) => nativeToScVal(number, { type: 'i128' })),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((number) => nativeToScVal(number, { type: 'u256' })),
    fc
      .bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
      .map((number) => nativeToScVal(number, { type: 'i256' })),
    fc.uint8Array({ maxLength: 100 }).map((data) => xdr.ScVal.scvBytes(Buffer.from(data))),
    text.map((string) => xdr.ScVal.scvString(string)),
    fc.stringMatching(/^[A-Za-z0-9_]{0,32}$/).map((symbol) => xdr.ScVal.scvSymbol(symbol)),
    fc.oneof(account, contract).map((address) => new Address(address).toScVal()),
    fc.array(tie('any'), { maxLength: 4 }).map((items) => xdr.ScVal.scvVec(items)),
    fc
      .array(fc.tuple(tie('any'), tie('any')), { maxLength: 3 })
      .map((rows) => xdr.ScVal.scvMap(rows.map(([key, val]) => new xdr.ScMapEntry({ key, val })))),
    fc.nat(9).map((code) => xdr.ScVal.scvError(xdr.ScError.sceContract(code))),
    fc.constant(xdr.ScVal.scvLedgerKeyContractInstance()),
  ),
})).any

const call = fc
  .tuple(contract, fc.stringMatching(/^[a-z_]{1,32}$/), fc.array(value, { maxLength: 4 }))
  .map(
    ([address, functionName, args]) =>
      new xdr.InvokeContractArgs({ contractAddress: new Address(address).toScAddress(), functionName, args }),
  )
const invocation: fc.Arbitrary<xdr.SorobanAuthorizedInvocation> = fc.letrec<{
  tree: xdr.SorobanAuthorizedInvocation
}>((tie) => ({
  tree: fc
    .tuple(
      call,
      fc.oneof(
        { maxDepth: 2 },
        fc.constant<xdr.SorobanAuthorizedInvocation[]>([]),
        fc.array(tie('tree'), { maxLength: 2 }),
      ),
    )
    .map(
      ([args, subInvocations]) =>
        new xdr.SorobanAuthorizedInvocation({
          function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(args),
          subInvocations,
        }),
    ),
})).tree
const authorization = fc
  .tuple(fc.option(fc.tuple(account, value)), invocation)
  .map(([other, rootInvocation]) => {
    const credentials = other
      ? xdr.SorobanCredentials.sorobanCredentialsAddress(
          new xdr.SorobanAddressCredentials({
            address: new Address(other[0]).toScAddress(),
            nonce: xdr.Int64.fromString('-7'),
            signatureExpirationLedger: 9,
            signature: other[1],
          }),
        )
      : xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
    return new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation })
  })

type Make = fc.Arbitrary<(source: { source?: string }) => xdr.Operation>
const op = <fields>(fields: fc.Arbitrary<fields>, build: (options: never) => xdr.Operation): Make =>
  fields.map((given) => (source) => build.call(Operation, { ...given, ...source } as never))

/** Every type of operation, by what the SDK calls it. */
const operation: Make = fc.oneof(
  op(fc.record({ destination: account, startingBalance: amount }), Operation.createAccount),
  op(fc.record({ destination, asset, amount }), Operation.payment),
  op(
    fc.record({ sendAsset: asset, sendMax: amount, destination, destAsset: asset, destAmount: amount, path }),
    Operation.pathPaymentStrictReceive,
  ),
  op(
    fc.record({ sendAsset: asset, sendAmount: amount, destination, destAsset: asset, destMin: amount, path }),
    Operation.pathPaymentStrictSend,
  ),
  op(
    fc.record({
      selling: asset,
      buying: asset,
      amount: fc.oneof(amount, fc.constant('0')),
      price,
      offerId: fc.nat().map(String),
    }),
    Operation.manageSellOffer,
  ),
  op(
    fc.record({ selling: asset, buying: asset, buyAmount: amount, price, offerId: fc.nat().map(String) }),
    Operation.manageBuyOffer,
  ),
  op(fc.record({ selling: asset, buying: asset, amount, price }), Operation.createPassiveSellOffer),
  op(
    fc.record(
      {
        inflationDest: account,
        clearFlags: fc.nat(15),
        setFlags: fc.nat(15),
        masterWeight: weight,
        lowThreshold: weight,
        medThreshold: weight,
        highThreshold: weight,
        homeDomain: fc.stringMatching(/^[a-z.]{1,32}$/),
        signer,
      },
      { requiredKeys: [] },
    ),
    Operation.setOptions,
  ),
  op(
    fc.record({
      asset: fc.oneof(
        asset.filter((given) => !given.isNative()),
        fc
          .tuple(asset, asset)
          .filter(([a, b]) => Asset.compare(a, b) < 0)
          .map(([a, b]) => new LiquidityPoolAsset(a, b, 30)),
      ),
      limit: amount,
    }),
    Operation.changeTrust,
  ),
  op(
    fc.record({
      trustor: account,
      assetCode: fc.stringMatching(/^[A-Z]{1,12}$/),
      authorize: fc.constantFrom(0, 1, 2),
    }),
    Operation.allowTrust,
  ),
  op(fc.record({ destination }), Operation.accountMerge),
  op(fc.record({}), Operation.inflation),
  op(
    fc.record({
      name: fc.stringMatching(/^[ -~]{1,64}$/),
      value: fc.option(fc.uint8Array({ maxLength: 64 }).map((data) => Buffer.from(data))),
    }),
    Operation.manageData,
  ),
  op(fc.record({ bumpTo: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String) }), Operation.bumpSequence),
  op(
    fc.record({
      asset,
      amount,
      claimants: fc.array(
        fc.tuple(account, predicate).map(([to, rule]) => new Claimant(to, rule)),
        { minLength: 1, maxLength: 10 },
      ),
    }),
    Operation.createClaimableBalance,
  ),
  op(fc.record({ balanceId }), Operation.claimClaimableBalance),
  op(fc.record({ sponsoredId: account }), Operation.beginSponsoringFutureReserves),
  op(fc.record({}), Operation.endSponsoringFutureReserves),
  op(fc.record({ account }), Operation.revokeAccountSponsorship),
  op(
    fc.record({ account, asset: asset.filter((given) => !given.isNative()) }),
    Operation.revokeTrustlineSponsorship,
  ),
  op(fc.record({ seller: account, offerId: fc.nat().map(String) }), Operation.revokeOfferSponsorship),
  op(fc.record({ account, name: fc.stringMatching(/^[a-z]{1,64}$/) }), Operation.revokeDataSponsorship),
  op(fc.record({ balanceId }), Operation.revokeClaimableBalanceSponsorship),
  op(fc.record({ liquidityPoolId: id }), Operation.revokeLiquidityPoolSponsorship),
  op(
    fc.record({ account, signer: fc.record({ ed25519PublicKey: account }) }),
    Operation.revokeSignerSponsorship,
  ),
  op(
    fc.record({ asset: asset.filter((given) => !given.isNative()), amount, from: destination }),
    Operation.clawback,
  ),
  op(fc.record({ balanceId }), Operation.clawbackClaimableBalance),
  op(
    fc.record({
      trustor: account,
      asset: asset.filter((given) => !given.isNative()),
      flags: fc.constantFrom({ authorized: true }, { authorized: false, clawbackEnabled: false }),
    }),
    Operation.setTrustLineFlags,
  ),
  op(
    fc.record({
      liquidityPoolId: id,
      maxAmountA: amount,
      maxAmountB: amount,
      minPrice: price,
      maxPrice: price,
    }),
    Operation.liquidityPoolDeposit,
  ),
  op(
    fc.record({ liquidityPoolId: id, amount, minAmountA: amount, minAmountB: amount }),
    Operation.liquidityPoolWithdraw,
  ),
  op(
    fc.record({
      func: call.map((args) => xdr.HostFunction.hostFunctionTypeInvokeContract(args)),
      auth: fc.array(authorization, { maxLength: 3 }),
    }),
    Operation.invokeHostFunction,
  ),
  op(
    fc.record({
      address: account.map((address) => new Address(address)),
      wasmHash: bytes(32),
      salt: bytes(32),
      constructorArgs: fc.array(value, { maxLength: 3 }),
    }),
    Operation.createCustomContract,
  ),
  op(fc.record({ asset }), Operation.createStellarAssetContract),
  op(
    fc.record({ wasm: fc.uint8Array({ minLength: 1, maxLength: 100 }).map((data) => Buffer.from(data)) }),
    Operation.uploadContractWasm,
  ),
  op(fc.record({ extendTo: fc.integer({ min: 1, max: 2 ** 31 }) }), Operation.extendFootprintTtl),
  op(fc.record({}), Operation.restoreFootprint),
)

const memo = fc.oneof(
  fc.constant(Memo.none()),
  fc.stringMatching(/^[ -~]{0,28}$/).map((given) => Memo.text(given)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((given) => Memo.id(given.toString())),
  id.map((hash) => Memo.hash(hash)),
  id.map((hash) => Memo.return(hash)),
)

const resources = fc.tuple(contract, value, fc.nat()).map(([address, key, fee]) =>
  new SorobanDataBuilder()
    .setResources(1, 2, 3)
    .setResourceFee(fee.toString())
    .appendFootprint(
      [
        xdr.LedgerKey.contractData(
          new xdr.LedgerKeyContractData({
            contract: new Address(address).toScAddress(),
            key,
            durability: xdr.ContractDataDurability.persistent(),
          }),
        ),
      ],
      [],
    )
    .build(),
)

/** Transactions of an account with every kind of operation, memo, condition and contract data. */
export function randomStellar(
  source: string,
  networkPassphrase: string = Networks.PUBLIC,
): fc.Arbitrary<Transaction> {
  const from = fc.option(fc.oneof(account, muxed, fc.constant(source)))
  return fc
    .record({
      operations: fc.array(fc.tuple(operation, from), { minLength: 1, maxLength: 4 }),
      given: memo,
      fee: fc.integer({ min: 100, max: 1_000_000 }),
      sequence: fc.bigInt({ min: 0n, max: 2n ** 63n - 2n }),
      end: fc.oneof(fc.constant(0), fc.nat()),
      conditions: fc.boolean(),
      data: fc.option(resources),
      extra: fc.array(account, { maxLength: 2 }),
    })
    .map(({ operations, given, fee, sequence, end, conditions, data, extra }) => {
      const builder = new TransactionBuilder(new Account(source, sequence.toString()), {
        fee: fee.toString(),
        networkPassphrase,
        memo: given,
      })
      builder.setTimebounds(0, end)
      if (conditions) builder.setLedgerbounds(1, 0).setMinAccountSequenceAge(5).setExtraSigners(extra)
      if (data) builder.setSorobanData(data)
      for (const [make, other] of operations)
        builder.addOperation(make(other === null ? {} : { source: other }))
      return builder.build()
    })
}

/** A fee bump around a transaction, as its fee source builds it. */
export function feeBumpOf(inner: Transaction, payer: string): FeeBumpTransaction {
  return TransactionBuilder.buildFeeBumpTransaction(
    Keypair.fromPublicKey(payer),
    '100000000',
    inner,
    inner.networkPassphrase,
  )
}
