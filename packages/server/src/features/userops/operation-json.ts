import { type Hex, type UserOperation, userOperationJson } from '@symbolon/networks/evm'

/** An operation before its owner has signed it. */
export type UnsignedOperation = Omit<UserOperation, 'signature'>

const quantities = [
  'nonce',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const

/** The text under which an operation is stored. */
export const operationToJson = (operation: UnsignedOperation): string =>
  JSON.stringify(userOperationJson(operation))

/** The operation of a stored text that the driver has parsed. */
export function operationFromJson(json: Record<string, Hex>): UnsignedOperation {
  const operation: Record<string, Hex | bigint> = { ...json }
  for (const name of quantities) {
    const value = json[name]
    if (value !== undefined) operation[name] = BigInt(value)
  }
  return operation as UnsignedOperation
}

/** An unsigned operation with the owner's checked signature: 0x00 says that an EOA signed (Light Account v2). */
export const withOwnerSignature = (operation: UnsignedOperation, signature: Hex): UserOperation => ({
  ...operation,
  signature: `0x00${signature.slice(2)}`,
})

/** What the operation costs at worst, in wei: all its gas at its highest price. */
export function worstCostWei(operation: UnsignedOperation): bigint {
  const gas =
    operation.preVerificationGas +
    operation.verificationGasLimit +
    operation.callGasLimit +
    (operation.paymasterVerificationGasLimit ?? 0n) +
    (operation.paymasterPostOpGasLimit ?? 0n)
  return gas * operation.maxFeePerGas
}
