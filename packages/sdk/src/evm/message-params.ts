import { fromHex, isHex } from '../bytes.ts'
import type { TypedData } from '../generated/requests.ts'
import { isObject } from '../json.ts'
import { invalidParams } from './provider-error.ts'

/** The parameters of `personal_sign`: the message (hex is bytes, anything else text), then the account. */
export function personalSignParams(params: readonly unknown[]): {
  message: string | Uint8Array
  account: unknown
} {
  const [message, account] = params
  if (typeof message !== 'string') throw invalidParams('personal_sign takes a message and an account.')
  return { message: isHex(message) ? fromHex(message) : message, account }
}

/** The parameters of `personal_ecRecover`: the message as in `personal_sign`, then the signature. */
export function recoverParams(params: readonly unknown[]): { message: Uint8Array; signature: string } {
  const [message, signature] = params
  if (typeof message !== 'string' || typeof signature !== 'string')
    throw invalidParams('personal_ecRecover takes a message and a signature.')
  return { message: isHex(message) ? fromHex(message) : new TextEncoder().encode(message), signature }
}

/** The parameters of `eth_signTypedData_v4`: the account, then the typed data as an object or its JSON (EIP-712). */
export function typedDataParams(params: readonly unknown[]): { typedData: TypedData; account: unknown } {
  const [account, given] = params
  const { domain = {}, types, primaryType, message } = parse(given)
  if (!isObject(domain) || !isObject(types) || !isObject(message) || typeof primaryType !== 'string')
    throw invalidParams('The typed data has no `types`, `primaryType` or `message`.')
  return { typedData: { domain, types: types as TypedData['types'], primaryType, message }, account }
}

function parse(given: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = typeof given === 'string' ? JSON.parse(given) : given
    if (isObject(parsed)) return parsed
  } catch {
    // Refused below.
  }
  throw invalidParams('eth_signTypedData_v4 takes an account and typed data.')
}
