import { isHex } from '../bytes.ts'
import type { EvmTransaction } from '../generated/requests.ts'
import { isObject } from '../json.ts'
import { invalidParams } from './provider-error.ts'

/** A transaction as `eth_sendTransaction` gives it, checked; amounts in wei or gas units. */
export type WantedTransaction = {
  readonly from: unknown
  readonly to: string | undefined
  readonly data: string
  readonly value: bigint
  readonly gas: bigint | undefined
  readonly nonce: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly chainId: string | undefined
  /** As the platform spells it; none without entries. */
  readonly accessList: EvmTransaction['access_list']
  /** An EIP-2930 transaction is wanted; only `eth_signTransaction` makes one. */
  readonly isEip2930: boolean
}

/** Reads the object of `eth_sendTransaction` or of one call of `wallet_sendCalls`; throws -32602 for anything else. */
export function wantedTransaction(given: unknown): WantedTransaction {
  if (!isObject(given)) throw invalidParams('A transaction object is missing.')
  const { to, data = given['input'] ?? '0x', chainId } = given
  if (to !== undefined && to !== null && !(isHex(to) && to.length === 42))
    throw invalidParams('`to` is not an address.')
  if (!isHex(data)) throw invalidParams('`data` is not hex.')
  const gasPrice = quantity(given, 'gasPrice')
  return {
    from: given['from'],
    to: typeof to === 'string' ? to : undefined,
    data,
    value: quantity(given, 'value') ?? 0n,
    gas: quantity(given, 'gas') ?? quantity(given, 'gasLimit'),
    nonce: quantity(given, 'nonce'),
    // Only EIP-1559 is sent: a legacy price is the maximum fee, and all of it may go to the proposer.
    maxFeePerGas: quantity(given, 'maxFeePerGas') ?? gasPrice,
    maxPriorityFeePerGas: quantity(given, 'maxPriorityFeePerGas') ?? gasPrice,
    chainId: typeof chainId === 'string' ? chainId : undefined,
    accessList: accessList(given['accessList']),
    isEip2930: given['type'] === '0x1',
  }
}

function quantity(given: Record<string, unknown>, name: string): bigint | undefined {
  const value = given[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw invalidParams(`\`${name}\` must be 0x-prefixed hex, such as \`0x5\`.`)
}

/** A list of EIP-2930. */
function accessList(given: unknown): EvmTransaction['access_list'] {
  if (given === undefined || given === null) return undefined
  if (!Array.isArray(given)) throw invalidParams('`accessList` is not a list.')
  const entries = given.map((entry: unknown) => {
    const { address, storageKeys = [] } = isObject(entry) ? entry : {}
    if (!(isHex(address) && address.length === 42))
      throw invalidParams('`accessList` has an entry without an address.')
    if (!(Array.isArray(storageKeys) && storageKeys.every((key) => isHex(key) && key.length === 66)))
      throw invalidParams('`storageKeys` are not words of 32 bytes.')
    return { address, storage_keys: storageKeys.map(String) }
  })
  return entries.length === 0 ? undefined : entries
}

/** A number as Ethereum spells it: 0x hex without leading zeros. */
export const toQuantity = (value: bigint): string => `0x${value.toString(16)}`
