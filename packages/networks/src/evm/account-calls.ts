import type { Hex } from '../codec/hex.ts'
import { invalidRequest } from '../network-error.ts'
import { abiAddress, abiArray, abiBytes, abiCall, abiUint } from './abi-writer.ts'
import { selectorOf } from './selector.ts'

/** A call that an account makes; `value` in wei. */
export type EvmCall = { readonly to: Hex; readonly value: bigint; readonly data: Hex }

const execute = selectorOf('execute(address,uint256,bytes)')
const executeBatch = selectorOf('executeBatch(address[],uint256[],bytes[])')
const createAccount = selectorOf('createAccount(address,uint256)')
const getAddress = selectorOf('getAddress(address,uint256)')

/**
 * The call data of an operation of a Light Account: `execute` for one call, `executeBatch` for several, in order.
 * No call, a malformed address or malformed hex is `invalid_request`, a value above 256 bits `invalid_payload`.
 */
export function encodeCalls(calls: readonly EvmCall[]): Hex {
  const [first] = calls
  if (first === undefined) throw invalidRequest('An operation has at least one call.')
  if (calls.length === 1) {
    return abiCall(execute, abiAddress(first.to), abiUint(first.value), abiBytes(first.data))
  }
  return abiCall(
    executeBatch,
    abiArray(calls.map(({ to }) => abiAddress(to))),
    abiArray(calls.map(({ value }) => abiUint(value))),
    abiArray(calls.map(({ data }) => abiBytes(data))),
  )
}

/** `createAccount(owner, 0)` of the factory: the factory data of an account's first operation. */
export function encodeCreateAccount(owner: Hex): Hex {
  return abiCall(createAccount, abiAddress(owner), abiUint(0n))
}

/** `getAddress(owner, 0)` of the factory. */
export function encodeGetAddress(owner: Hex): Hex {
  return abiCall(getAddress, abiAddress(owner), abiUint(0n))
}
