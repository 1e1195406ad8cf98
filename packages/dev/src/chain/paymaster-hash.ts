import { concatHex, encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbiParameters } from 'viem'

/** The fields of an operation that a sponsorship signs (ERC-4337 v0.7, unpacked). */
export type SponsoredOperation = {
  sender: Hex
  nonce: bigint
  factory?: Hex | undefined
  factoryData?: Hex | undefined
  callData: Hex
  callGasLimit: bigint
  verificationGasLimit: bigint
  preVerificationGas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  paymasterVerificationGasLimit: bigint
  paymasterPostOpGasLimit: bigint
}

/** Who sponsors, where, and between which chain times (unix seconds). */
export type SponsorshipScope = { paymaster: Hex; chainId: number; validUntil: number; validAfter: number }

const parameters = parseAbiParameters(
  'address, uint256, bytes32, bytes32, bytes32, uint256, uint256, bytes32, uint256, address, uint48, uint48',
)

/** The digest of `VerifyingPaymaster.getHash` (@account-abstraction/contracts 0.7.0), worked out without the chain. */
export function paymasterHash(op: SponsoredOperation, scope: SponsorshipScope): Hex {
  const initCode = op.factory === undefined ? '0x' : concatHex([op.factory, op.factoryData ?? '0x'])
  return keccak256(
    encodeAbiParameters(parameters, [
      op.sender,
      op.nonce,
      keccak256(initCode),
      keccak256(op.callData),
      halves(op.verificationGasLimit, op.callGasLimit),
      BigInt(halves(op.paymasterVerificationGasLimit, op.paymasterPostOpGasLimit)),
      op.preVerificationGas,
      halves(op.maxPriorityFeePerGas, op.maxFeePerGas),
      BigInt(scope.chainId),
      scope.paymaster,
      scope.validUntil,
      scope.validAfter,
    ]),
  )
}

function halves(high: bigint, low: bigint): Hex {
  return concatHex([numberToHex(high, { size: 16 }), numberToHex(low, { size: 16 })])
}
