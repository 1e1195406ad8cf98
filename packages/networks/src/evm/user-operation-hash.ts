import { keccak256 } from '#keccak'
import { fromHex, type Hex, toHex, toHex0x } from '../codec/hex.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'
import { addressDigits, bytesDigits, wordDigits } from './abi-writer.ts'
import { entryPoint } from './entry-point.ts'
import type { UserOperation } from './user-operation.ts'

/** An operation, complete or as it was built for its owner to sign. */
type HashedOperation = Omit<UserOperation, 'signature'> & { signature?: Hex; paymasterAndDataHash?: Hex }

/**
 * What `getUserOpHash` of EntryPoint v0.7 (at `contract`) answers for the packed operation on a chain; the signature
 * plays no part, and of `paymasterAndData` its hash is enough.
 * A number that does not fit its field is `invalid_payload`, malformed hex or paymaster data without a paymaster
 * `invalid_request`.
 */
export function userOperationHash(op: HashedOperation, chainId: number, contract = entryPoint): Hex {
  const packed = keccakDigits(
    addressWord(op.sender) +
      wordDigits(op.nonce) +
      keccakDigits(initCodeDigits(op)) +
      keccakDigits(bytesDigits(op.callData)) +
      pairDigits(op.verificationGasLimit, op.callGasLimit) +
      wordDigits(op.preVerificationGas) +
      pairDigits(op.maxPriorityFeePerGas, op.maxFeePerGas) +
      paymasterHashDigits(op),
  )
  return toHex0x(keccak256(digitBytes(packed + addressWord(contract) + wordDigits(BigInt(chainId)))))
}

/** The keccak-256 of the packed operation's `paymasterAndData`, as the hash of the operation takes it. */
export const paymasterAndDataHash = (op: PaymasterFields): Hex =>
  `0x${keccakDigits(paymasterAndDataDigits(op))}`

function paymasterHashDigits(op: HashedOperation): string {
  if (op.paymasterAndDataHash === undefined) return keccakDigits(paymasterAndDataDigits(op))
  const digits = bytesDigits(op.paymasterAndDataHash)
  if (digits.length !== 64 || paymasterAndDataDigits(op) !== '')
    throw invalidRequest('The operation has paymaster fields beside their hash, or a hash that is none.')
  return digits
}

function initCodeDigits({ factory, factoryData }: Pick<UserOperation, 'factory' | 'factoryData'>): string {
  if (factory !== undefined) return addressDigits(factory) + bytesDigits(factoryData ?? '0x')
  if (factoryData !== undefined) throw invalidRequest('The operation has factory data without a factory.')
  return ''
}

type PaymasterFields = Pick<
  UserOperation,
  'paymaster' | 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit' | 'paymasterData'
>

function paymasterAndDataDigits(op: PaymasterFields): string {
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
  return toHex(keccak256(digitBytes(digits)))
}

function digitBytes(digits: string): Uint8Array {
  const bytes = fromHex(digits)
  if (!bytes) throw invalidPayload('The operation is not hex.')
  return bytes
}
