import type { Chain } from '../chain.ts'
import { concat } from '../codec/concat.ts'
import { uint256Max } from '../codec/quantity.ts'
import { decodeRlp, encodeRlp, type RlpItem } from '../codec/rlp.ts'
import { invalidPayload } from '../network-error.ts'
import { exactly, rlpBytes, rlpQuantity, uint64Max } from './rlp-fields.ts'
import {
  checkAccessList,
  readAuthorizations,
  readBlobFee,
  type SignedAuthorization,
} from './transaction-lists.ts'

/** Transaction types that are signed; the byte is the EIP-2718 prefix, legacy has none. */
export type EvmTransactionType = 'legacy' | 'eip2930' | 'eip1559' | 'eip4844' | 'eip7702'

/**
 * An unsigned transaction taken apart. `maxFeePerGas` is the gas price of the two older types, `maxFee` the fee in the worst
 * case, that of blobs included; amounts are wei; `fields` are its RLP items without chain id placeholders of EIP-155.
 */
export type EvmTransaction = {
  readonly type: EvmTransactionType
  readonly chainId: bigint
  readonly nonce: bigint
  readonly maxFeePerGas: bigint
  readonly gasLimit: bigint
  readonly maxFee: bigint
  readonly to: Uint8Array | null
  readonly value: bigint
  readonly data: Uint8Array
  readonly authorizations: readonly SignedAuthorization[]
  readonly fields: readonly RlpItem[]
}

/** How many items each type has, and where; the call stands behind the fee, the access list behind the call. */
type Form = {
  readonly prefix: Uint8Array
  readonly count: number
  readonly chainAt: number
  readonly nonceAt: number
  readonly feeAt: number
}

const forms: Readonly<Record<EvmTransactionType, Form>> = {
  legacy: { prefix: new Uint8Array(0), count: 9, chainAt: 6, nonceAt: 0, feeAt: 1 },
  eip2930: { prefix: Uint8Array.of(1), count: 8, chainAt: 0, nonceAt: 1, feeAt: 2 },
  eip1559: { prefix: Uint8Array.of(2), count: 9, chainAt: 0, nonceAt: 1, feeAt: 3 },
  eip4844: { prefix: Uint8Array.of(3), count: 11, chainAt: 0, nonceAt: 1, feeAt: 3 },
  eip7702: { prefix: Uint8Array.of(4), count: 10, chainAt: 0, nonceAt: 1, feeAt: 3 },
}
const types = Object.keys(forms) as readonly EvmTransactionType[]
/** EIP-2681: the nonce of a transaction is below 2^64 - 1. */
const nonceMax = uint64Max - 1n

/**
 * Decodes unsigned bytes of EIP-7702, EIP-4844 (without its sidecar), EIP-1559, EIP-2930, or legacy ones with chain id (EIP-155).
 * Another type, another chain's id, or anything that is not its own canonical encoding is `invalid_payload`.
 */
export function decodeEvmTransaction(bytes: Uint8Array, chain: Chain): EvmTransaction {
  const type = typeOf(bytes)
  const item = decodeRlp(type === 'legacy' ? bytes : bytes.subarray(1))
  if (item instanceof Uint8Array) throw invalidPayload('The transaction is not a list.')
  const transaction = transactionFromItems(type, item)
  if (transaction.chainId !== BigInt(chain.chainId ?? -1)) {
    throw invalidPayload(`The chain id of the transaction is not that of ${chain.handle}.`)
  }
  return transaction
}

/** Type byte and RLP of a transaction's items. */
export function encodeEvmTransaction(type: EvmTransactionType, items: readonly RlpItem[]): Uint8Array {
  return concat(forms[type].prefix, encodeRlp(items))
}

function typeOf(bytes: Uint8Array): EvmTransactionType {
  const first = bytes[0] ?? 0
  if (first >= 0xc0) return 'legacy'
  const type = first === 0 ? undefined : types[first]
  if (type === undefined) throw invalidPayload('The transaction type is not supported.')
  return type
}

/** The transaction of the items of its unsigned RLP, of any chain; malformed items are `invalid_payload`. */
export function transactionFromItems(type: EvmTransactionType, items: readonly RlpItem[]): EvmTransaction {
  const { count, chainAt, nonceAt, feeAt } = forms[type]
  exactly(items, count)
  const [fee, gas, to, value, data, accessList, last, blobs] = items.slice(feeAt)
  const maxFeePerGas = rlpQuantity(fee)
  if (type === 'legacy') {
    if (rlpBytes(items[7]).length + rlpBytes(items[8]).length > 0)
      throw invalidPayload('The transaction is signed already.')
  } else checkAccessList(accessList)
  if (feeAt === 3 && rlpQuantity(items[2]) > maxFeePerGas)
    throw invalidPayload('The priority fee is above the maximum fee.')
  const gasLimit = rlpQuantity(gas, uint64Max)
  const maxFee = gasLimit * maxFeePerGas + (type === 'eip4844' ? readBlobFee(last, blobs) : 0n)
  if (maxFee > uint256Max) throw invalidPayload('The fee of the transaction is out of range.')
  return {
    type,
    chainId: rlpQuantity(items[chainAt]),
    nonce: rlpQuantity(items[nonceAt], nonceMax),
    maxFeePerGas,
    gasLimit,
    maxFee,
    to: recipient(to, type === 'eip4844' || type === 'eip7702'),
    value: rlpQuantity(value),
    data: rlpBytes(data),
    authorizations: type === 'eip7702' ? readAuthorizations(last) : [],
    fields: type === 'legacy' ? items.slice(0, 6) : items,
  }
}

/** Empty where a contract is created, which the two newest types do not do. */
function recipient(item: RlpItem | undefined, isRequired: boolean): Uint8Array | null {
  const bytes = rlpBytes(item)
  if (bytes.length === 0 && !isRequired) return null
  if (bytes.length !== 20) throw invalidPayload('The recipient is not an address.')
  return bytes
}
