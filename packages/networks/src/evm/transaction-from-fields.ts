import type { Chain } from '../chain.ts'
import { fromHex0x } from '../codec/hex.ts'
import { quantityToBytes, uint256Max } from '../codec/quantity.ts'
import type { RlpItem } from '../codec/rlp.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'
import { ownValue } from '../own-value.ts'
import { parseAddress } from './address.ts'
import { decodeEvmTransaction, type EvmTransactionType, encodeEvmTransaction } from './raw-transaction.ts'

/**
 * A transaction as the API takes it: quantities are 0x hex without leading zeros, `data` 0x hex.
 * `type` may be the EIP-2718 number or the name; without it the fields decide.
 */
export type EvmTransactionFields = {
  readonly type?: string | undefined
  readonly chain_id?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | null | undefined
  readonly value?: string | undefined
  readonly data?: string | undefined
  readonly nonce: string
  readonly gas_limit: string
  readonly gas_price?: string | undefined
  readonly max_fee_per_gas?: string | undefined
  readonly max_priority_fee_per_gas?: string | undefined
  readonly access_list?: readonly AccessListEntry[] | undefined
}

/** An address and the storage keys of it that a transaction will touch (EIP-2930). */
export type AccessListEntry = { readonly address: string; readonly storage_keys: readonly string[] }

const quantityForm = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/
const typeNames: Readonly<Record<string, EvmTransactionType>> = {
  legacy: 'legacy',
  eip2930: 'eip2930',
  eip1559: 'eip1559',
  '0x0': 'legacy',
  '0x1': 'eip2930',
  '0x2': 'eip1559',
}

/**
 * The unsigned bytes of a transaction given by fields, on a chain.
 * A malformed field is `invalid_request`; fields that do not make one transaction of this chain (`chain_id`) and
 * this `sender` (`from`) are `invalid_payload`.
 */
export function evmTransactionFromFields(
  fields: EvmTransactionFields,
  chain: Chain,
  sender?: string,
): Uint8Array {
  if (chain.network !== 'evm')
    throw invalidPayload(`A transaction on ${chain.handle} must be a serialized string, not an object.`)
  if (
    fields.from !== undefined &&
    sender !== undefined &&
    fields.from.toLowerCase() !== sender.toLowerCase()
  ) {
    throw invalidPayload('The sender is not the wallet.')
  }
  const chainId = quantityToBytes(BigInt(chain.chainId ?? 0))
  if (fields.chain_id !== undefined && quantity(fields.chain_id, 'chain_id').join() !== chainId.join()) {
    throw invalidPayload(`The chain id is not that of ${chain.handle}.`)
  }
  const type = typeOf(fields)
  const bytes = encodeEvmTransaction(type, itemsOf(type, fields, chainId))
  decodeEvmTransaction(bytes, chain)
  return bytes
}

function itemsOf(type: EvmTransactionType, fields: EvmTransactionFields, chainId: Uint8Array): RlpItem[] {
  const nonce = quantity(fields.nonce, 'nonce')
  const call: RlpItem[] = [
    quantity(fields.gas_limit, 'gas_limit'),
    recipient(fields.to),
    quantity(fields.value ?? '0x0', 'value'),
    hexBytes(fields.data ?? '0x', 'data'),
  ]
  const empty = new Uint8Array(0)
  if (type === 'eip1559') {
    refuse(fields.gas_price, 'gas_price')
    const priorityFee = quantity(fields.max_priority_fee_per_gas, 'max_priority_fee_per_gas')
    const maxFee = quantity(fields.max_fee_per_gas, 'max_fee_per_gas')
    return [chainId, nonce, priorityFee, maxFee, ...call, accessList(fields.access_list)]
  }
  refuse(fields.max_fee_per_gas, 'max_fee_per_gas')
  refuse(fields.max_priority_fee_per_gas, 'max_priority_fee_per_gas')
  const gasPrice = quantity(fields.gas_price, 'gas_price')
  if (type === 'eip2930') return [chainId, nonce, gasPrice, ...call, accessList(fields.access_list)]
  refuse(fields.access_list, 'access_list')
  return [nonce, gasPrice, ...call, chainId, empty, empty]
}

function typeOf({ type, gas_price, access_list }: EvmTransactionFields): EvmTransactionType {
  if (type === undefined) {
    if (gas_price === undefined) return 'eip1559'
    return access_list === undefined ? 'legacy' : 'eip2930'
  }
  const known = ownValue(typeNames, type)
  if (!known) throw invalidPayload('The transaction type is not supported.')
  return known
}

function refuse(value: unknown, name: string): void {
  if (value !== undefined) throw invalidPayload(`A transaction of this type has no ${name}: leave it out.`)
}

function quantity(text: string | undefined, name: string): Uint8Array {
  if (text === undefined) throw invalidPayload(`${name} is missing.`)
  if (!quantityForm.test(text) || BigInt(text) > uint256Max)
    throw invalidRequest(`\`${name}\` must be 0x-prefixed hex, such as \`0x5\`.`)
  return quantityToBytes(BigInt(text))
}

function recipient(text: string | null | undefined): Uint8Array {
  if (text === undefined || text === null) return new Uint8Array(0)
  const bytes = parseAddress(text)
  if (!bytes) throw invalidRequest('`to` is not an address, or its checksum is wrong.')
  return bytes
}

function accessList(entries: readonly AccessListEntry[] = []): RlpItem {
  return entries.map(({ address, storage_keys }) => {
    const bytes = parseAddress(address)
    if (!bytes) throw invalidRequest('The access list names no address.')
    return [bytes, storage_keys.map((key) => storageKey(key))]
  })
}

function storageKey(text: string): Uint8Array {
  const bytes = hexBytes(text, 'A storage key')
  if (bytes.length !== 32) throw invalidRequest('A storage key is not 32 bytes long.')
  return bytes
}

function hexBytes(text: string, name: string): Uint8Array {
  const bytes = fromHex0x(text, true)
  if (!bytes) throw invalidRequest(`${name} is not 0x hex.`)
  return bytes
}
