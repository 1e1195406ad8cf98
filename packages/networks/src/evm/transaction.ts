import type { Chain } from '../chains.ts'
import { concat } from '../concat.ts'
import { invalidPayload } from '../network-error.ts'
import { bytesToQuantity, uint256Max } from '../quantity.ts'
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts'

/** Transaction types that are signed; the byte is the EIP-2718 prefix, legacy has none. */
export type EvmTransactionType = 'legacy' | 'eip2930' | 'eip1559'

/**
 * An unsigned transaction taken apart. `maxFeePerGas` is the gas price of the two older types; amounts are wei;
 * `fields` are its RLP items without chain id placeholders of EIP-155.
 */
export type EvmTransaction = {
  readonly type: EvmTransactionType
  readonly chainId: bigint
  readonly nonce: bigint
  readonly maxFeePerGas: bigint
  readonly gasLimit: bigint
  readonly to: Uint8Array | null
  readonly value: bigint
  readonly data: Uint8Array
  readonly fields: readonly RlpItem[]
}

const typeBytes: Readonly<Record<EvmTransactionType, Uint8Array>> = {
  legacy: new Uint8Array(0),
  eip2930: Uint8Array.of(1),
  eip1559: Uint8Array.of(2),
}
/** EIP-2681: the nonce of a transaction is below 2^64 - 1. */
const nonceMax = 2n ** 64n - 2n
const gasMax = 2n ** 64n - 1n

/**
 * Decodes unsigned EIP-1559, EIP-2930 or legacy bytes with chain id (EIP-155).
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

/** The transaction of the items of its unsigned RLP, of any chain; malformed items are `invalid_payload`. */
export function transactionFromItems(type: EvmTransactionType, items: readonly RlpItem[]): EvmTransaction {
  const transaction = fromItems(type, items)
  if (transaction.gasLimit * transaction.maxFeePerGas > uint256Max) {
    throw invalidPayload('The fee of the transaction is out of range.')
  }
  return transaction
}

/** Type byte and RLP of a transaction's items. */
export function encodeEvmTransaction(type: EvmTransactionType, items: readonly RlpItem[]): Uint8Array {
  return concat(typeBytes[type], encodeRlp(items))
}

function typeOf(bytes: Uint8Array): EvmTransactionType {
  const first = bytes[0] ?? 0
  if (first >= 0xc0) return 'legacy'
  if (first === 1) return 'eip2930'
  if (first === 2) return 'eip1559'
  throw invalidPayload('The transaction type is not supported.')
}

function fromItems(type: EvmTransactionType, items: readonly RlpItem[]): EvmTransaction {
  switch (type) {
    case 'legacy': {
      const [nonce, gasPrice, gas, to, value, data, chainId, r, s] = exactly(items, 9)
      if (text(r).length + text(s).length > 0) throw invalidPayload('The transaction is signed already.')
      const call = callOf(nonce, gas, to, value, data)
      return {
        type,
        ...call,
        chainId: rlpQuantity(chainId),
        maxFeePerGas: rlpQuantity(gasPrice),
        fields: items.slice(0, 6),
      }
    }
    case 'eip2930': {
      const [chainId, nonce, gasPrice, gas, to, value, data, accessList] = exactly(items, 8)
      checkAccessList(accessList)
      const call = callOf(nonce, gas, to, value, data)
      return {
        type,
        ...call,
        chainId: rlpQuantity(chainId),
        maxFeePerGas: rlpQuantity(gasPrice),
        fields: items,
      }
    }
    case 'eip1559': {
      const [chainId, nonce, priorityFee, maxFee, gas, to, value, data, accessList] = exactly(items, 9)
      checkAccessList(accessList)
      const maxFeePerGas = rlpQuantity(maxFee)
      if (rlpQuantity(priorityFee) > maxFeePerGas)
        throw invalidPayload('The priority fee is above the maximum fee.')
      return {
        type,
        ...callOf(nonce, gas, to, value, data),
        chainId: rlpQuantity(chainId),
        maxFeePerGas,
        fields: items,
      }
    }
  }
}

type Call = Pick<EvmTransaction, 'nonce' | 'gasLimit' | 'to' | 'value' | 'data'>
type Field = RlpItem | undefined

function callOf(nonce: Field, gas: Field, to: Field, value: Field, data: Field): Call {
  const recipient = text(to)
  if (recipient.length !== 0 && recipient.length !== 20)
    throw invalidPayload('The recipient is not an address.')
  return {
    nonce: rlpQuantity(nonce, nonceMax),
    gasLimit: rlpQuantity(gas, gasMax),
    to: recipient.length === 0 ? null : recipient,
    value: rlpQuantity(value),
    data: text(data),
  }
}

function exactly(items: readonly RlpItem[], count: number): readonly RlpItem[] {
  if (items.length !== count) throw invalidPayload(`The transaction must have ${count} fields.`)
  return items
}

function checkAccessList(item: Field): void {
  for (const entry of list(item)) {
    const [address, keys] = exactly(list(entry), 2)
    if (text(address).length !== 20) throw invalidPayload('The access list names no address.')
    if (list(keys).some((key) => text(key).length !== 32))
      throw invalidPayload('A storage key is not 32 bytes long.')
  }
}

function list(item: Field): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw invalidPayload('A list is missing.')
  return item
}

function text(item: Field): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw invalidPayload('A field of the transaction is a list.')
}

/** The number of an RLP item, at most `max`; a list or leading zeros are `invalid_payload`. */
export function rlpQuantity(item: RlpItem | undefined, max?: bigint): bigint {
  const bytes = text(item)
  if (bytes.length > 32 || bytes[0] === 0)
    throw invalidPayload('A number of the transaction is not canonical.')
  const value = bytesToQuantity(bytes)
  if (max !== undefined && value > max) throw invalidPayload('A number of the transaction is out of range.')
  return value
}
