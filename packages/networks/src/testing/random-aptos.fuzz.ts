import {
  AccountAddress,
  ChainId,
  EntryFunction,
  FeePayerRawTransaction,
  MoveVector,
  MultiAgentRawTransaction,
  MultiSig,
  MultiSigTransactionPayload,
  parseTypeTag,
  RawTransaction,
  TransactionExecutableEmpty,
  TransactionExecutableEntryFunction,
  TransactionExtraConfigV1,
  TransactionInnerPayloadV1,
  type TransactionPayload,
  TransactionPayloadEntryFunction,
  TransactionPayloadMultiSig,
  U64,
} from '@aptos-labs/ts-sdk'
import fc from 'fast-check'

const u64 = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
const address = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => new AccountAddress(Uint8Array.from(bytes)))
const identifier = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/)
const types = [
  '0x1::aptos_coin::AptosCoin',
  'u8',
  'vector<vector<u256>>',
  'address',
  `0x${'c'.repeat(64)}::pool::Lp<0x1::aptos_coin::AptosCoin, vector<0x2::a::B<bool, u16>>>`,
].map((text) => parseTypeTag(text))

const native = fc
  .tuple(fc.constantFrom('transfer', 'fungible_transfer_only'), address, u64)
  .map(([name, to, amount]) => EntryFunction.build('0x1::aptos_account', name, [], [to, new U64(amount)]))
const coin = fc
  .tuple(
    fc.constantFrom('0x1::coin::transfer', '0x1::aptos_account::transfer_coins'),
    address,
    u64,
    fc.constantFrom(...types),
  )
  .map(([id, to, amount, type]) => {
    const [account, module, name = ''] = id.split('::')
    return EntryFunction.build(`${account}::${module}`, name, [type], [to, new U64(amount)])
  })
const batch = fc
  .array(fc.tuple(address, u64), { minLength: 1, maxLength: 200 })
  .map((rows) =>
    EntryFunction.build(
      '0x1::aptos_account',
      'batch_transfer',
      [],
      [new MoveVector(rows.map(([to]) => to)), new MoveVector(rows.map(([, amount]) => new U64(amount)))],
    ),
  )
const asset = fc
  .tuple(address, address, u64)
  .map(([metadata, to, amount]) =>
    EntryFunction.build(
      '0x1::primary_fungible_store',
      'transfer',
      [parseTypeTag('0x1::fungible_asset::Metadata')],
      [metadata, to, new U64(amount)],
    ),
  )
const anyFunction = fc
  .tuple(
    address,
    identifier,
    identifier,
    fc.array(fc.constantFrom(...types), { maxLength: 3 }),
    fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }),
  )
  .map(([account, module, name, typeArguments, args]) =>
    EntryFunction.build(
      `${account}::${module}`,
      name,
      typeArguments,
      args.map((bytes) => MoveVector.U8(bytes)),
    ),
  )

/** Calls of known and of unknown entry functions. */
const call = fc.oneof(native, coin, batch, asset, anyFunction)

const payload: fc.Arbitrary<TransactionPayload> = fc.oneof(
  { arbitrary: call.map((entry) => new TransactionPayloadEntryFunction(entry)), weight: 4 },
  {
    arbitrary: fc.tuple(address, fc.option(call, { nil: undefined })).map(([account, entry]) => {
      const inner = entry && new MultiSigTransactionPayload(entry)
      return new TransactionPayloadMultiSig(new MultiSig(account, inner))
    }),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(call, fc.option(address, { nil: undefined }), fc.option(u64, { nil: undefined }))
      .map(
        ([entry, multisig, nonce]) =>
          new TransactionInnerPayloadV1(
            new TransactionExecutableEntryFunction(entry),
            new TransactionExtraConfigV1(multisig, nonce),
          ),
      ),
    weight: 1,
  },
  {
    arbitrary: address.map(
      (multisig) =>
        new TransactionInnerPayloadV1(
          new TransactionExecutableEmpty(),
          new TransactionExtraConfigV1(multisig),
        ),
    ),
    weight: 1,
  },
)

/** What the SDK signs: a transaction and, where others sign too, who they are. */
export type AptosSample = {
  readonly rawTransaction: RawTransaction
  readonly secondarySignerAddresses?: AccountAddress[]
  readonly feePayerAddress?: AccountAddress
}

/** Transactions of one sender in all forms that are signed. */
export function randomAptos(sender: Uint8Array, chainId: number): fc.Arbitrary<AptosSample> {
  const raw = fc
    .tuple(payload, u64, u64, u64, u64)
    .map(
      ([body, sequence, maxGas, price, expiry]) =>
        new RawTransaction(
          new AccountAddress(sender),
          sequence,
          body,
          maxGas,
          price,
          expiry,
          new ChainId(chainId),
        ),
    )
  const others = fc.array(address, { maxLength: 3 })
  return fc.oneof(
    { arbitrary: raw.map((rawTransaction) => ({ rawTransaction })), weight: 3 },
    {
      arbitrary: fc
        .tuple(raw, others)
        .map(([rawTransaction, secondarySignerAddresses]) => ({ rawTransaction, secondarySignerAddresses })),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(raw, others, address)
        .map(([rawTransaction, secondarySignerAddresses, feePayerAddress]) => ({
          rawTransaction,
          secondarySignerAddresses,
          feePayerAddress,
        })),
      weight: 1,
    },
  )
}

/** The bytes of a sample as our API takes them: BCS of the RawTransaction or RawTransactionWithData. */
export function aptosBytes({
  rawTransaction,
  secondarySignerAddresses,
  feePayerAddress,
}: AptosSample): Uint8Array {
  if (feePayerAddress) {
    return new FeePayerRawTransaction(
      rawTransaction,
      secondarySignerAddresses ?? [],
      feePayerAddress,
    ).bcsToBytes()
  }
  if (secondarySignerAddresses) {
    return new MultiAgentRawTransaction(rawTransaction, secondarySignerAddresses).bcsToBytes()
  }
  return rawTransaction.bcsToBytes()
}
