import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, type Hex, toHex, toHex0x } from '../hex.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'
import { addressDigits, bytesDigits, wordDigits } from './abi-writer.ts'
import { entryPoint } from './entry-point.ts'
import type { UserOperation } from './user-operation.ts'

/**
 * What `getUserOpHash` of EntryPoint v0.7 (at `contract`) answers for the packed operation on a chain; the signature
 * plays no part.
 * A number that does not fit its field is `invalid_payload`, malformed hex or paymaster data without a paymaster
 * `invalid_request`.
 */
export function userOperationHash(op: UserOperation, chainId: number, contract = entryPoint): Hex {
  const packed = keccakDigits(
    addressWord(op.sender) +
      wordDigits(op.nonce) +
      keccakDigits(initCodeDigits(op)) +
      keccakDigits(bytesDigits(op.callData)) +
      pairDigits(op.verificationGasLimit, op.callGasLimit) +
      wordDigits(op.preVerificationGas) +
      pairDigits(op.maxPriorityFeePerGas, op.maxFeePerGas) +
      keccakDigits(paymasterAndDataDigits(op)),
  )
  return toHex0x(keccak_256(digitBytes(packed + addressWord(contract) + wordDigits(BigInt(chainId)))))
}

function initCodeDigits({ factory, factoryData }: UserOperation): string {
  if (factory !== undefined) return addressDigits(factory) + bytesDigits(factoryData ?? '0x')
  if (factoryData !== undefined) throw invalidRequest('The operation has factory data without a factory.')
  return ''
}

function paymasterAndDataDigits(op: UserOperation): string {
  const { paymaster, paymasterVerificationGasLimit, paymasterPostOpGasLimit, paymasterData } = op
  if (paymaster !== undefined) {
    const limits = pairDigits(paymasterVerificationGasLimit ?? 0n, paymasterPostOpGasLimit ?? 0n)
    return addressDigits(paymaster) + limits + bytesDigits(paymasterData ?? '0x')
  }
  if ((paymasterVerificationGasLimit ?? paymasterPostOpGasLimit ?? paymasterData) !== undefined) {
    throw invalidRequest('The operation has paymaster fields without a paymaster.')
  }
  return ''
}

function addressWord(address: Hex): string {
  return addressDigits(address).padStart(64, '0')
}

/** Two numbers of 128 bits in one word. */
function pairDigits(high: bigint, low: bigint): string {
  return wordDigits(high, 128).slice(32) + wordDigits(low, 128).slice(32)
}

function keccakDigits(digits: string): string {
  return toHex(keccak_256(digitBytes(digits)))
}

function digitBytes(digits: string): Uint8Array {
  const bytes = fromHex(digits)
  if (!bytes) throw invalidPayload('The operation is not hex.')
  return bytes
}
