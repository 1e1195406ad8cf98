import type { Hex } from '../codec/hex.ts'
import { invalidRequest } from '../network-error.ts'

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

type Paid = 'paymaster' | 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit' | 'paymasterData'

/**
 * An operation as its owner gets it to sign: in place of what a paymaster has signed stands the hash of it
 * (`paymasterAndDataHash`, absent when the account pays), so that nobody but who submits it can send it.
 */
export type BuiltOperation = Omit<UserOperation, 'signature' | Paid> & { paymasterAndDataHash?: Hex }

/** The JSON of an operation or of a part of it (ERC-7769): quantities in 0x hex, absent fields left out. */
export function userOperationJson(op: Partial<UserOperation & BuiltOperation>): Record<string, Hex> {
  const json: Record<string, Hex> = {}
  for (const [name, value] of Object.entries(op)) {
    if (value !== undefined) json[name] = typeof value === 'bigint' ? `0x${value.toString(16)}` : value
  }
  return json
}

/** An operation before its owner has signed it. */
export type UnsignedOperation = Omit<UserOperation, 'signature'>

const hexFields = ['sender', 'callData'] as const
const optionalHexFields = ['factory', 'factoryData', 'paymasterAndDataHash'] as const
const quantities = [
  'nonce',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
] as const
const unsignedOptional = ['factory', 'factoryData', 'paymaster', 'paymasterData'] as const
const paymasterQuantities = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const

/**
 * Reads the JSON of a built operation. A field that is missing, unknown or not 0x hex is a
 * `NetworkError('invalid_request')`.
 */
export function builtOperationFromJson(json: Readonly<Record<string, unknown>>): BuiltOperation {
  return readFields(json, optionalHexFields, []) as BuiltOperation
}

/** Reads the JSON of an operation that its owner has not signed yet, as strictly; a `signature` is a field too many. */
export function unsignedOperationFromJson(json: Readonly<Record<string, unknown>>): UnsignedOperation {
  return readFields(json, unsignedOptional, paymasterQuantities) as UnsignedOperation
}

/** All of the required fields and those of the optional ones that are given. */
function readFields(
  json: Readonly<Record<string, unknown>>,
  optionalHex: readonly string[],
  optionalQuantities: readonly string[],
): Record<string, Hex | bigint> {
  const known: readonly string[] = [...hexFields, ...quantities, ...optionalHex, ...optionalQuantities]
  for (const name of Object.keys(json))
    if (!known.includes(name)) throw invalidRequest(`The operation has a field ${name}.`)
  const text = (name: string): Hex => {
    const value = json[name]
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value))
      throw invalidRequest(`The operation's ${name} is not 0x hex.`)
    return value as Hex
  }
  const isGiven = (name: string) => json[name] !== undefined
  const texts = [...hexFields, ...optionalHex.filter(isGiven)]
  const numbers = [...quantities, ...optionalQuantities.filter(isGiven)]
  return Object.fromEntries([
    ...texts.map((name) => [name, text(name)] as const),
    ...numbers.map((name) => [name, quantity(text(name), name)] as const),
  ])
}

function quantity(text: Hex, name: string): bigint {
  if (!/^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/.test(text))
    throw invalidRequest(`The operation's ${name} must be 0x-prefixed hex, such as 0x5.`)
  return BigInt(text)
}
