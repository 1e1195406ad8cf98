import { isObject } from '../../json.ts'
import { invalidParams, ProviderRpcError, providerCodes } from '../provider-error.ts'
import { type WantedTransaction, wantedTransaction } from '../transaction-params.ts'

/** The parameter of `wallet_sendCalls` (EIP-5792, version 2.0.0), checked. */
export type Batch = {
  /** The page's own name for the calls. */
  readonly id: string | undefined
  readonly from: unknown
  readonly chainId: unknown
  readonly isAtomic: boolean
  readonly calls: readonly WantedTransaction[]
}

const callsMax = 64
/** EIP-5792: "a string of up to 4096 bytes (8194 characters, as a hex string)". */
const idLengthMax = 8_194

/** Reads the parameter. Throws -32602 for a malformed one, and 5700 for a required capability that this wallet does not have. */
export function readBatch(param: unknown): Batch {
  const { id, from, chainId, calls, atomicRequired } = plainOf(param)
  if (!Array.isArray(calls) || calls.length === 0) throw invalidParams('`calls` is missing.')
  if (calls.length > callsMax) throw invalidParams(`\`calls\` has more than ${callsMax} entries.`)
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > idLengthMax))
    throw invalidParams('`id` is not a string of up to 4096 bytes.')
  return { id, from, chainId, isAtomic: atomicRequired === true, calls: calls.map(readCall) }
}

/** Ignores gas limit, nonce and fees, which EIP-5792 doesn't define: with them, a page could choose which calls of a list fail. */
function readCall(call: unknown): WantedTransaction {
  const { to, data, value } = plainOf(call)
  return wantedTransaction({ to, data, value })
}

/** An object that requires no capability. */
function plainOf(param: unknown): Record<string, unknown> {
  const given = objectOf(param)
  for (const [name, value] of Object.entries(objectOf(given['capabilities'] ?? {})))
    if (objectOf(value)['optional'] !== true)
      throw new ProviderRpcError(providerCodes.unsupportedCapability, `${name} is not supported.`)
  return given
}

function objectOf(param: unknown): Record<string, unknown> {
  if (!isObject(param)) throw invalidParams('A parameter must be an object.')
  return param
}
