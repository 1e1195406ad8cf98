import type { Hex } from '../hex.ts'
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

/**
 * Reads the JSON of a built operation. A field that is missing, unknown or not 0x hex is a
 * `NetworkError('invalid_request')`.
 */
export function builtOperationFromJson(json: Readonly<Record<string, unknown>>): BuiltOperation {
  const known: readonly string[] = [...hexFields, ...optionalHexFields, ...quantities]
  const text = (name: string): Hex => {
    const value = json[name]
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value))
      throw invalidRequest(`The operation's ${name} is not 0x hex.`)
    return value as Hex
  }
  const given = optionalHexFields.filter((name) => json[name] !== undefined)
  for (const name of Object.keys(json))
    if (!known.includes(name)) throw invalidRequest(`The operation has a field ${name}.`)
  return {
    ...Object.fromEntries([...hexFields, ...given].map((name) => [name, text(name)])),
    ...Object.fromEntries(quantities.map((name) => [name, quantity(text(name))])),
  } as BuiltOperation
}

function quantity(text: Hex): bigint {
  if (!/^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/.test(text))
    throw invalidRequest('A number of the operation is not a 0x quantity.')
  return BigInt(text)
}
