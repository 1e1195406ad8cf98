import type { Hex } from '../hex.ts'

/**
 * An operation of ERC-4337 (EntryPoint v0.7) as the RPC has it, unpacked. Addresses and data are 0x hex, the rest wei and
 * gas. Without `factory` the account exists already, without `paymaster` it pays for itself.
 */
export type UserOperation = {
  sender: Hex
  nonce: bigint
  factory?: Hex
  factoryData?: Hex
  callData: Hex
  callGasLimit: bigint
  verificationGasLimit: bigint
  preVerificationGas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  paymaster?: Hex
  paymasterVerificationGasLimit?: bigint
  paymasterPostOpGasLimit?: bigint
  paymasterData?: Hex
  signature: Hex
}

/** The JSON of an operation or of a part of it (ERC-7769): quantities in 0x hex, absent fields left out. */
export function userOperationJson(op: Partial<UserOperation>): Record<string, Hex> {
  const json: Record<string, Hex> = {}
  for (const [name, value] of Object.entries(op)) {
    if (value !== undefined) json[name] = typeof value === 'bigint' ? `0x${value.toString(16)}` : value
  }
  return json
}
