import {
  Account,
  Address,
  Asset,
  type FeeBumpTransaction,
  Keypair,
  Memo,
  MuxedAccount,
  Networks,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { session } from './transaction-cases.ts'

export type Options = { fee?: string; source?: string; memo?: Memo; passphrase?: string; sponsor?: string }

export const pairs = [1, 2, 3, 4].map((index) =>
  Keypair.fromRawEd25519Seed(Buffer.from(testKey('ed25519', index).privateKey)),
)
export const [wallet = '', friend = '', issuer = '', thief = ''] = pairs.map((pair) => pair.publicKey())
export const usd = new Asset('USD', issuer)
export const usdId = `USD:${issuer}`
export const muxed = new MuxedAccount(new Account(friend, '0'), '77').accountId()
export const ownMuxed = new MuxedAccount(new Account(wallet, '0'), '77').accountId()
export const native = Asset.native()
export const nativeContract = native.contractId(Networks.PUBLIC)
export const contract = usd.contractId(Networks.PUBLIC)
/** A transaction that reads and writes balances of an asset, as every transfer of its contract does. */
export const balanceOf = (account: string, asset: Asset) =>
  xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({
      accountId: Keypair.fromPublicKey(account).xdrAccountId(),
      asset: asset.toTrustLineXDRObject(),
    }),
  )
export const dex = Address.contract(Buffer.alloc(32, 7)).toString()

export function build(
  operations: xdr.Operation[],
  { fee = '100', source = wallet, memo = Memo.none(), passphrase = Networks.PUBLIC }: Options = {},
): Transaction {
  const builder = new TransactionBuilder(new Account(source, '7'), {
    fee,
    networkPassphrase: passphrase,
    memo,
  })
  for (const operation of operations) builder.addOperation(operation)
  return builder.setTimebounds(0, 0).build()
}
export const bytesOf = (transaction: Transaction | FeeBumpTransaction) =>
  Uint8Array.from(transaction.toEnvelope().toXDR())
export const sent = (operations: xdr.Operation[], options?: Options) => bytesOf(build(operations, options))
export const pay = (amount: string, destination = friend, asset = native, source?: string) =>
  Operation.payment({ destination, asset, amount, ...(source !== undefined && { source }) })
export const bump = (source: string, inner: Transaction, fee = '200') =>
  bytesOf(
    TransactionBuilder.buildFeeBumpTransaction(Keypair.fromPublicKey(source), fee, inner, Networks.PUBLIC),
  )
export const i128 = (value: bigint) => nativeToScVal(value, { type: 'i128' })
export const party = (address: string) => new Address(address).toScVal()
export const invoke = (
  method: string,
  args: xdr.ScVal[],
  on = contract,
  auth: xdr.SorobanAuthorizationEntry[] = [],
) => sent([Operation.invokeContractFunction({ contract: on, function: method, args, auth })])
/** `invoke` as a node prepares it: with the balances that it reads and writes. */
export const prepared = (
  method: string,
  args: xdr.ScVal[],
  on: string,
  balances: readonly xdr.LedgerKey[],
) => {
  const transaction = build([Operation.invokeContractFunction({ contract: on, function: method, args })])
  const data = new SorobanDataBuilder().setFootprint([], [...balances]).build()
  return bytesOf(TransactionBuilder.cloneFrom(transaction, { fee: '100', sorobanData: data }).build())
}
export const invocation = (
  method: string,
  args: xdr.ScVal[],
  on: string,
  inner: xdr.SorobanAuthorizedInvocation[] = [],
) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({
        contractAddress: new Address(on).toScAddress(),
        functionName: method,
        args,
      }),
    ),
    subInvocations: inner,
  })
export const authorized = (root: xdr.SorobanAuthorizedInvocation) =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: root,
  })

export const toFriend = session({ allowed_recipients: [friend] })
/** 0.0001 XLM. */
export const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: '1000' })
export const usdOnly = session({ allowed_tokens: [{ chain: 'stellar', token: usdId, max_per_tx: '500' }] })
export const sacOnly = session({ allowed_tokens: [{ chain: 'stellar', token: contract, max_per_tx: '500' }] })
export const allowed = (more = {}) =>
  session({ allowed_contracts: [{ chain: 'stellar', address: dex }], ...more })
export const xlm = (amount: bigint) => ({ 'native XLM/7': amount, transactions: 1n })
/** The counter of an asset is its contract's, however it is moved. */
export const tokenCost = (id: string, amount: bigint) => ({
  [`token stellar ${id}`]: amount,
  transactions: 1n,
})
export const path = <more extends object>(more: more) => ({
  sendAsset: native,
  destination: friend,
  destAsset: usd,
  path: [],
  ...more,
})
