import type { Chain } from '../chain.ts'
import { toHex0x } from '../codec/hex.ts'
import type { StoredOperation } from '../policy/agent-decoded.ts'
import { type UnsignedOperation, unsignedOperationFromJson } from './user-operation.ts'
import { userOperationHash } from './user-operation-hash.ts'

/**
 * The operation that `hash` stands for on a chain: `stored`, if its own hash (EntryPoint v0.7) is that one; otherwise `undefined`. A stored
 * operation that is none is a `NetworkError('invalid_request')`.
 */
export function operationOfHash(
  hash: Uint8Array,
  chain: Chain,
  stored: StoredOperation | undefined,
): UnsignedOperation | undefined {
  if (stored?.chain !== chain.handle || chain.network !== 'evm') return undefined
  const operation = unsignedOperationFromJson(stored.operation)
  return userOperationHash(operation, Number(chain.chainId)) === toHex0x(hash) ? operation : undefined
}

/**
 * What the EntryPoint takes from the account at most, in wei: all gas at the highest price (`_getRequiredPrefund` of v0.7); null where a
 * paymaster pays.
 */
export function operationFee(operation: UnsignedOperation): bigint | null {
  if (isSponsored(operation)) return null
  const gas =
    operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    (operation.paymasterVerificationGasLimit ?? 0n) +
    (operation.paymasterPostOpGasLimit ?? 0n)
  return gas * operation.maxFeePerGas
}

/** The EntryPoint charges the account where the paymaster's address is zero, whatever else stands behind it. */
function isSponsored({ paymaster }: UnsignedOperation): boolean {
  return paymaster !== undefined && !/^0x0+$/.test(paymaster)
}
