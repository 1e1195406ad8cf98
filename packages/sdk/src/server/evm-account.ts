import type { SignableRequest, TypedDataInput } from '../client/signing-types.ts'
import { toQuantity } from '../evm/transaction-params.ts'
import type { SignResponse } from '../generated/answers.ts'
import type { EvmTransaction } from '../generated/requests.ts'
import { failure, type Result, type SdkError, SymbolonError, success, unwrap } from '../result.ts'

type Hex = `0x${string}`

/**
 * A wallet as viem's local accounts are, and as libraries built on them take it (x402, permissionless); the key stays on the platform.
 * Each method rejects with `SymbolonError` where the platform refuses.
 */
export type EvmAccount = {
  readonly address: Hex
  readonly publicKey: Hex
  readonly type: 'local'
  readonly source: 'symbolon'
  readonly signMessage: (parameters: { message: string | { raw: Hex | Uint8Array } }) => Promise<Hex>
  /** Takes viem's `TypedDataDefinition`. */
  readonly signTypedData: (definition: object) => Promise<Hex>
  /** Takes viem's serializable transactions: legacy, EIP-2930 and EIP-1559, with nonce, gas and fees. */
  readonly signTransaction: (transaction: object) => Promise<Hex>
}

/** Signs as one wallet. */
type Sign<code extends string> = (request: SignableRequest) => Promise<Result<SignResponse, code>>

/** The account of the wallet that `sign` signs with, on an EVM chain. A dry run returns its address. */
export async function evmAccount<code extends string>(
  sign: Sign<code>,
  chain: string,
): Promise<Result<EvmAccount, code | 'chain_unsupported'>> {
  const probe = await sign({ type: 'message', message: 'address', chain, dry_run: true })
  if (probe.error !== null)
    return { data: null, error: probe.error as SdkError<Exclude<code, 'wallet_exists'>> }
  const { address, public_key: publicKey } = probe.data
  if (!isHex(address) || !isHex(publicKey))
    return failure('chain_unsupported', `\`chain\` must be an EVM chain; ${chain} is not.`)
  const signature = async (request: SignableRequest) => hexOf(unwrap(await sign(request)).signature)
  return success({
    address,
    publicKey,
    type: 'local',
    source: 'symbolon',
    signMessage: ({ message }) =>
      signature(
        typeof message === 'string'
          ? { type: 'message', message, chain }
          : { type: 'message', message: rawHex(message.raw), encoding: 'hex', chain },
      ),
    signTypedData: (definition) =>
      signature({ type: 'typed_data', typed_data: definition as TypedDataInput, chain }),
    async signTransaction(transaction) {
      const request = { type: 'transaction', transaction: evmTransaction(transaction), chain } as const
      return hexOf(unwrap(await sign(request)).signed_transaction)
    },
  })
}

/** What viem calls the fields of a transaction. */
type ViemTransaction = {
  readonly type?: string
  readonly to?: string | null
  readonly data?: string
  readonly value?: bigint
  readonly nonce?: number
  readonly gas?: bigint
  readonly gasPrice?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly chainId?: number
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
  readonly blobVersionedHashes?: unknown
  readonly authorizationList?: unknown
}

function evmTransaction(transaction: ViemTransaction): EvmTransaction {
  const { type, to, data, nonce, gas, accessList = [], blobVersionedHashes, authorizationList } = transaction
  if (blobVersionedHashes !== undefined || authorizationList !== undefined)
    throw refused('Transactions with blobs or authorizations are not signed.')
  if (nonce === undefined || gas === undefined) throw refused('A transaction needs `nonce` and `gas`.')
  const access_list = accessList.map(({ address, storageKeys }) => ({
    address,
    storage_keys: [...storageKeys],
  }))
  return {
    ...quantities({
      nonce: BigInt(nonce),
      gas_limit: gas,
      value: transaction.value,
      chain_id: transaction.chainId === undefined ? undefined : BigInt(transaction.chainId),
      ...fees(transaction),
    }),
    ...(typeof to === 'string' && { to }),
    ...(data !== undefined && { data }),
    ...((access_list.length > 0 || type === 'eip2930') && { access_list }),
  }
}

/** As viem serializes, the type decides which fees count; the others may be left over from what was filled in. */
function fees({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: ViemTransaction) {
  const isPriced = type === undefined ? gasPrice !== undefined : type === 'legacy' || type === 'eip2930'
  return isPriced
    ? { gas_price: gasPrice }
    : { max_fee_per_gas: maxFeePerGas, max_priority_fee_per_gas: maxPriorityFeePerGas }
}

function quantities(amounts: { [name: string]: bigint | undefined }): Omit<EvmTransaction, 'access_list'> {
  const given = Object.entries(amounts).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, toQuantity(amount)]],
  )
  return Object.fromEntries(given) as Omit<EvmTransaction, 'access_list'>
}

const refused = (message: string): SymbolonError => new SymbolonError({ code: 'invalid_request', message })

function rawHex(raw: Hex | Uint8Array): string {
  if (typeof raw === 'string') return raw
  return `0x${Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const isHex = (text: unknown): text is Hex => typeof text === 'string' && text.startsWith('0x')

function hexOf(text: unknown): Hex {
  if (isHex(text)) return text
  throw new SymbolonError({ code: 'invalid_answer', message: 'The service sent an unreadable answer.' })
}
