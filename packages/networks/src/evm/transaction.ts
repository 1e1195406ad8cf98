import { keccak256 } from '#keccak'
import { toHex, toHex0x } from '../codec/hex.ts'
import { quantityToBytes } from '../codec/quantity.ts'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import type { Parsed, TransactionCodec } from '../network.ts'
import { type EncodedSignature, onlyDigest, type Signed } from '../signature.ts'
import { decodeTransactionEffects } from './effects.ts'
import { decodeEvmTransaction, type EvmTransaction, encodeEvmTransaction } from './raw-transaction.ts'

/** Unsigned RLP transactions: EIP-7702, EIP-4844 without sidecar, EIP-1559, EIP-2930 and legacy with chain id. */
export const evmTransaction: TransactionCodec<Parsed<EvmTransaction>> = {
  encoding: 'hex',
  parse: (bytes, scope) => ({ transaction: decodeEvmTransaction(bytes, scope.chain), bytes, scope }),
  effects: ({ transaction, scope }) => decodeTransactionEffects(transaction, scope),
  digests: ({ bytes }) => onlyDigest(keccak256(bytes)),
  assemble({ transaction, scope }, [signature]) {
    const signed = { ...signature, publicKey: scope.publicKey }
    const encoded = encodeSigned(transaction, signed)
    return {
      ...encodeSignature(transaction, signed),
      signed_transaction: toHex0x(encoded),
      transaction_hash: toHex0x(keccak256(encoded)),
    }
  },
}

function encodeSigned(transaction: EvmTransaction, { signature, recovery }: Signed): Uint8Array {
  const v = quantityToBytes(signatureV(transaction, recovery))
  const r = withoutLeadingZeros(signature.subarray(0, 32))
  const s = withoutLeadingZeros(signature.subarray(32, 64))
  return encodeEvmTransaction(transaction.type, [...transaction.fields, v, r, s])
}

/** y parity of typed transactions; chain id * 2 + 35 + parity of legacy ones (EIP-155). */
function signatureV({ type, chainId }: EvmTransaction, recovery: number): bigint {
  return type === 'legacy' ? chainId * 2n + 35n + BigInt(recovery) : BigInt(recovery)
}

/** The 65th byte of a transaction's signature is its y parity. */
function encodeSignature(transaction: EvmTransaction, signed: Signed): EncodedSignature {
  return {
    ...encodeRecoverable(signed),
    signature: `0x${toHex(signed.signature)}0${signed.recovery}`,
    v: Number(signatureV(transaction, signed.recovery)),
  }
}

function withoutLeadingZeros(word: Uint8Array): Uint8Array {
  const start = word.findIndex((byte) => byte !== 0)
  return start === -1 ? word.subarray(word.length) : word.subarray(start)
}
