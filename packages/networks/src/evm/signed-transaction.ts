import { keccak256 } from '#keccak'
import { concat } from '../codec/concat.ts'
import { type Hex, toHex0x } from '../codec/hex.ts'
import { quantityToWord } from '../codec/quantity.ts'
import { decodeRlp } from '../codec/rlp.ts'
import { invalidPayload } from '../network-error.ts'
import { checksumAddress } from './address.ts'
import { recoverAccount } from './owner-signature.ts'
import { encodeEvmTransaction, transactionFromItems } from './raw-transaction.ts'
import { rlpQuantity } from './rlp-fields.ts'

/** A signed EIP-1559 transaction taken apart; addresses EIP-55, `to` null where it creates a contract, amounts wei. */
export type SignedTransaction = {
  type: 2
  chainId: number
  from: Hex
  to: Hex | null
  nonce: bigint
  value: bigint
  data: Hex
  gasLimit: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  hash: Hex
}

/**
 * Decodes a signed transaction of type 0x02 and recovers who signed it. Another type, RLP that is not canonical, a
 * signature out of range or with high s (EIP-2) is `invalid_payload`.
 */
export function decodeSignedTransaction(raw: Uint8Array): SignedTransaction {
  const { items, unsigned, transaction } = signedFields(raw)
  if (transaction.chainId > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidPayload('The chain id is out of range.')
  const parity = rlpQuantity(items[9], 1n)
  const signature = concat(quantityToWord(rlpQuantity(items[10])), quantityToWord(rlpQuantity(items[11])))
  const digest = keccak256(encodeEvmTransaction('eip1559', unsigned))
  const from = recoverAccount(signature, Number(parity), digest)
  if (!from) throw invalidPayload('The signature of the transaction is not valid.')
  return {
    type: 2,
    chainId: Number(transaction.chainId),
    from: checksumAddress(from),
    to: transaction.to === null ? null : checksumAddress(transaction.to),
    nonce: transaction.nonce,
    value: transaction.value,
    data: toHex0x(transaction.data),
    gasLimit: transaction.gasLimit,
    maxFeePerGas: transaction.maxFeePerGas,
    maxPriorityFeePerGas: rlpQuantity(unsigned[2]),
    hash: toHex0x(keccak256(raw)),
  }
}

/**
 * The most in wei that a signed transaction of type 0x02 can take from its sender: value and gas limit at the highest fee, which is what
 * nodes ask of a balance. Its signature is not looked at. Throws `invalid_payload` as `decodeSignedTransaction` does.
 */
export function signedTransactionCost(raw: Uint8Array): bigint {
  const { value, gasLimit, maxFeePerGas } = signedFields(raw).transaction
  return value + gasLimit * maxFeePerGas
}

function signedFields(raw: Uint8Array) {
  if (raw[0] !== 2) throw invalidPayload('The transaction is not of type 0x02.')
  const items = decodeRlp(raw.subarray(1))
  if (items instanceof Uint8Array || items.length !== 12) {
    throw invalidPayload('The transaction must have 12 fields.')
  }
  const unsigned = items.slice(0, 9)
  return { items, unsigned, transaction: transactionFromItems('eip1559', unsigned) }
}
