import { embedded, list, protoSchema, text, u64 } from '../codec/protobuf/proto-type.ts'
import { invalidPayload } from '../network-error.ts'
import { coinSchema, type RawCoin } from './coins.ts'
import type { CosmosMessage } from './messages.ts'

/** The fee as it is signed: coins, gas, who pays instead of the first signer and whose allowance is used. */
export type CosmosFee = {
  readonly amount: readonly RawCoin[]
  readonly gas_limit: bigint
  readonly payer: string
  readonly granter: string
}

/**
 * A transaction of either sign mode taken apart. `isAlone`: no other account signs; `assemble` gives the TxRaw around
 * the wallet's signature, absent where the bytes do not contain it.
 */
export type CosmosTransaction = {
  readonly messages: readonly CosmosMessage[]
  readonly fee: CosmosFee
  readonly memo: string
  readonly expiresAtMs: number | undefined
  readonly isAlone: boolean
  readonly assemble: ((signature: Uint8Array) => Uint8Array) | undefined
}

/** cosmos.tx.v1beta1.Fee. */
export const feeSchema = protoSchema({
  amount: list(embedded(coinSchema)),
  gas_limit: u64,
  payer: text,
  granter: text,
})

/** More messages than anybody reads, or a block takes. */
const messagesMax = 256

/** Refuses a transaction with no messages or too many. */
export function checkMessageCount(count: number): void {
  if (count === 0 || count > messagesMax) throw invalidPayload('The transaction has no messages or too many.')
}

/** The accounts of the messages that are known, and of the fee's payer. */
export function signersOf(
  messages: readonly CosmosMessage[],
  { payer }: CosmosFee,
  prefix: string,
): readonly string[] {
  const signers = messages.flatMap(({ known }) => known?.signers(prefix) ?? [])
  return payer === '' ? signers : [...signers, payer]
}
