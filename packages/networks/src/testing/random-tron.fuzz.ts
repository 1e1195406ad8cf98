import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { fromHex, toHex } from '../codec/hex.ts'

/** The protobuf classes that tronweb loads. */
type Read = { serializeBinary(): Uint8Array }
type Raw = Read & {
  getContractList(): { getParameter(): { getTypeName(): string; getValue_asU8(): Uint8Array } }[]
}
type Proto<read = Read> = { deserializeBinary(bytes: Uint8Array): read }
type Loaded = { TronWebProto: Record<string, Proto> & { Transaction: { raw: Proto<Raw> } } }

/** A transaction as tronweb takes it, as far as the tests write it. */
export type TronJson = {
  txID: string
  raw_data_hex: string
  visible: boolean
  signature?: string[]
  raw_data: {
    contract: { type: string; parameter: { value: Record<string, unknown> }; Permission_id?: number }[]
    ref_block_bytes: string
    ref_block_hash: string
    expiration?: number
    timestamp?: number
    fee_limit?: number
    data?: string
  }
}

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value))
/** Addresses in the hex that tronweb takes. */
const address = bytes(20).map((hex) => `41${hex}`)
const amount = fc.oneof(fc.nat(1_000_000), fc.maxSafeNat()).map((value) => value + 1)
const resource = fc.constantFrom('BANDWIDTH', 'ENERGY')
const tokenId = fc.integer({ min: 1_000_001, max: 1_010_000 })
const word = bytes(32)
const account = bytes(20).map((hex) => hex.padStart(64, '0'))
const data = fc.oneof(
  fc.tuple(account, word).map(([to, value]) => `a9059cbb${to}${value}`),
  fc.tuple(account, word).map(([to, value]) => `095ea7b3${to}${value}`),
  fc.tuple(account, account, word).map((words) => `23b872dd${words.join('')}`),
  fc.uint8Array({ minLength: 1, maxLength: 80 }).map((value) => toHex(value)),
)
const permission = fc.record({
  type: fc.constantFrom(0, 2),
  id: fc.nat(3),
  permission_name: fc.constantFrom('owner', 'active', ''),
  threshold: fc.integer({ min: 1, max: 5 }),
  operations: fc.option(bytes(32), { nil: undefined }),
  keys: fc.array(fc.record({ address, weight: fc.integer({ min: 1, max: 5 }) }), { maxLength: 3 }),
})

/** The values of one contract without its owner, by type. */
const contracts: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  TransferContract: fc.record({ to_address: address, amount }),
  TransferAssetContract: fc.record({
    to_address: address,
    amount,
    asset_name: tokenId.map((id) => TronWeb.fromUtf8(String(id)).slice(2)),
  }),
  ParticipateAssetIssueContract: fc.record({
    to_address: address,
    amount,
    asset_name: fc.constant(TronWeb.fromUtf8('1000001').slice(2)),
  }),
  TriggerSmartContract: fc.record({
    contract_address: address,
    data,
    call_value: fc.constantFrom(0, 5_000_000),
    call_token_value: fc.constantFrom(0, 7),
    token_id: fc.option(tokenId, { nil: undefined }),
  }),
  CreateSmartContract: fc.record({
    bytecode: fc.uint8Array({ minLength: 1, maxLength: 60 }).map((value) => toHex(value)),
    name: fc.constantFrom('Token', ''),
    call_value: fc.constantFrom(0, 1),
    consume_user_resource_percent: fc.nat(100),
    origin_energy_limit: amount,
    abi: fc.constantFrom('[]', '[{"type":"function","name":"a","inputs":[],"payable":true}]'),
  }),
  FreezeBalanceContract: fc.record({
    frozen_balance: amount,
    frozen_duration: fc.constant(3),
    resource,
    receiver_address: fc.option(address, { nil: undefined }),
  }),
  UnfreezeBalanceContract: fc.record({ resource, receiver_address: fc.option(address, { nil: undefined }) }),
  WithdrawBalanceContract: fc.constant({}),
  FreezeBalanceV2Contract: fc.record({ frozen_balance: amount, resource }),
  UnfreezeBalanceV2Contract: fc.record({ unfreeze_balance: amount, resource }),
  CancelAllUnfreezeV2Contract: fc.constant({}),
  WithdrawExpireUnfreezeContract: fc.constant({}),
  DelegateResourceContract: fc.record({
    balance: amount,
    resource,
    receiver_address: address,
    lock: fc.boolean(),
    lock_period: fc.nat(1000),
  }),
  UnDelegateResourceContract: fc.record({ balance: amount, resource, receiver_address: address }),
  VoteWitnessContract: fc.record({
    votes: fc.array(fc.record({ vote_address: address, vote_count: fc.nat(99).map((count) => count + 1) }), {
      minLength: 1,
      maxLength: 5,
    }),
  }),
  AccountCreateContract: fc.record({ account_address: address }),
  AccountUpdateContract: fc.record({ account_name: fc.constantFrom('61626364', 'ff00') }),
  SetAccountIdContract: fc.record({ account_id: fc.constant('6d7977616c6c6574') }),
  AccountPermissionUpdateContract: fc.record({
    owner: permission,
    witness: fc.option(permission, { nil: undefined }),
    actives: fc.array(permission, { maxLength: 2 }),
  }),
  WitnessCreateContract: fc.record({ url: fc.constant('68747470') }),
  UpdateBrokerageContract: fc.record({ brokerage: fc.nat(100) }),
  ProposalApproveContract: fc.record({ proposal_id: amount, is_add_approval: fc.boolean() }),
  ExchangeTransactionContract: fc.record({
    exchange_id: amount,
    token_id: fc.constant('5f'),
    quant: amount,
    expected: amount,
  }),
  UpdateSettingContract: fc.record({ contract_address: address, consume_user_resource_percent: fc.nat(100) }),
}

const contract = fc
  .constantFrom(...Object.keys(contracts))
  .chain((type) => (contracts[type] ?? fc.constant({})).map((value) => ({ type, value })))

/** A transaction of `owner` (41… hex) around one contract, its bytes and id made by tronweb. */
export function tronJson(
  owner: string,
  type: string,
  value: Record<string, unknown>,
  raw: Partial<TronJson['raw_data']> = {},
  Permission_id?: number,
): TronJson {
  const parameter = { value: { ...value, owner_address: owner } }
  const transaction: TronJson = {
    txID: '',
    raw_data_hex: '',
    visible: false,
    raw_data: {
      contract: [{ type, parameter, ...(Permission_id !== undefined && { Permission_id }) }],
      ref_block_bytes: 'abcd',
      ref_block_hash: '0011223344556677',
      expiration: 1_764_000_060_000,
      timestamp: 1_764_000_000_000,
      ...raw,
    },
  }
  const message = utils.transaction.txJsonToPb(transaction)
  transaction.raw_data_hex = utils.transaction.txPbToRawDataHex(message).toLowerCase()
  transaction.txID = utils.transaction.txPbToTxID(message).replace(/^0x/, '')
  return transaction
}

/** Transactions of `owner` (41… hex) of all types that tronweb builds and the network takes from wallets. */
export function randomTron(owner: string): fc.Arbitrary<TronJson> {
  const raw = fc.record(
    { fee_limit: amount, data: fc.constantFrom('6d656d6f', 'ff'), expiration: amount },
    { requiredKeys: [] },
  )
  return fc
    .tuple(contract, raw, fc.constantFrom(undefined, 2))
    .map(([{ type, value }, rest, permission]) => tronJson(owner, type, value, rest, permission))
}

/** The bytes of `raw_data`. */
export function tronBytes({ raw_data_hex }: TronJson): Uint8Array {
  const raw = fromHex(raw_data_hex)
  if (raw === undefined) throw new Error('tronweb writes hex')
  return raw
}

/** The bytes of `raw_data` as tronweb writes them again after reading. */
export function tronRewritten(bytes: Uint8Array): Uint8Array {
  return loaded().Transaction.raw.deserializeBinary(bytes).serializeBinary()
}

/** The one contract in `raw_data`: its type, its bytes, and what tronweb writes again after reading them. */
export function tronContract(bytes: Uint8Array): { name: string; value: Uint8Array; rewritten: Uint8Array } {
  const [contract] = loaded().Transaction.raw.deserializeBinary(bytes).getContractList()
  if (contract === undefined) throw new Error('the transaction has a contract')
  const name = contract.getParameter().getTypeName().replace('protocol.', '')
  const value = contract.getParameter().getValue_asU8()
  const proto = loaded()[name]
  if (proto === undefined) throw new Error(`tronweb has no ${name}`)
  return { name, value, rewritten: proto.deserializeBinary(value).serializeBinary() }
}

function loaded(): Loaded['TronWebProto'] {
  return (globalThis as unknown as Loaded).TronWebProto
}
