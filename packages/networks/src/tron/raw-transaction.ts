import { at, bytes, embedded, i64, list, protoSchema, text, u32 } from '../codec/protobuf/proto-type.ts'
import { readMessage, readPartly } from '../codec/protobuf/read-message.ts'
import { invalidPayload } from '../network-error.ts'
import { accountContracts } from './account-contracts.ts'
import { isOwnAddress } from './address.ts'
import { assetContracts } from './asset-contracts.ts'
import type { ContractRow, ReadContract } from './contract-row.ts'
import { machineContracts } from './machine-contracts.ts'
import { stakeContracts } from './stake-contracts.ts'

/** A transaction taken apart; `name`, `type` and message (`parameter`) of its one contract, `permissionId` 0 for the owner's own. */
export type TronTransaction = {
  readonly type: number
  readonly name: string
  readonly parameter: Uint8Array
  readonly describe: ReadContract['describe']
  readonly permissionId: number
  readonly memo: Uint8Array
  readonly feeLimit: bigint
  readonly expirationMs: bigint
}

const contracts: Readonly<Record<number, ContractRow>> = {
  ...accountContracts,
  ...assetContracts,
  ...stakeContracts,
  ...machineContracts,
}

const knownNames = new Set(Object.values(contracts).map(({ name }) => name))

const any = protoSchema({ type_url: text, value: bytes })
const contractSchema = protoSchema({ type: u32, parameter: embedded(any), permission_id: at(5, u32) })
const rawSchema = protoSchema({
  ref_block_bytes: bytes,
  ref_block_num: at(3, i64),
  ref_block_hash: bytes,
  expiration: at(8, i64),
  data: at(10, bytes),
  contract: list(embedded(contractSchema)),
  timestamp: at(14, i64),
  fee_limit: at(18, i64),
})
const otherContract = protoSchema({ owner_address: bytes })
const typeUrl = /^type\.googleapis\.com\/protocol\.(\w{1,64})$/

/**
 * Decodes `Transaction.raw` of java-tron's protocol with exactly one contract. Another owner than the wallet (its T… address), another
 * encoding than the canonical one and fields that nobody uses (auths, scripts, provider) are `invalid_payload`.
 */
export function decodeTronTransaction(raw: Uint8Array, wallet: string): TronTransaction {
  const { data, contract, expiration, fee_limit } = readMessage(raw, rawSchema)
  const [first, ...more] = contract
  if (first === undefined || more.length > 0) throw invalidPayload('The transaction must hold one contract.')
  const { parameter, permission_id } = first
  const type = Number(first.type)
  const name = typeUrl.exec(parameter?.type_url ?? '')?.[1]
  const row = contracts[type]
  if (parameter === undefined || name === undefined || (row ? row.name !== name : knownNames.has(name)))
    throw invalidPayload('The contract is not of the type it names.')
  const { owner, describe } = row?.read(parameter.value) ?? readOther(parameter.value)
  if (!isOwnAddress(owner, wallet)) throw invalidPayload('The owner is not this wallet.')
  return {
    type,
    name,
    parameter: parameter.value,
    describe,
    permissionId: Number(permission_id),
    memo: data,
    feeLimit: fee_limit,
    expirationMs: expiration,
  }
}

/** The other types of contract all start with their owner. */
function readOther(value: Uint8Array): ReadContract {
  return { owner: readPartly(value, otherContract).message.owner_address, describe: undefined }
}
