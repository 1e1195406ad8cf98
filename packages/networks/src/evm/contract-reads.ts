import { fromHex0x, type Hex } from '../codec/hex.ts'
import { bytesToQuantity } from '../codec/quantity.ts'
import { invalidPayload } from '../network-error.ts'
import { abiAddress, abiCall, abiUint } from './abi-writer.ts'
import { selectorOf } from './selector.ts'

const balanceOf = selectorOf('balanceOf(address)')
const getNonce = selectorOf('getNonce(address,uint192)')
const latestRoundData = selectorOf('latestRoundData()')
const decimals = selectorOf('decimals()')

/** `balanceOf(owner)` of a token; of the EntryPoint it is the deposit (wei). */
export function encodeBalanceOf(owner: Hex): Hex {
  return abiCall(balanceOf, abiAddress(owner))
}

/** The deposit of an account or paymaster at the EntryPoint (wei). */
export function encodeDepositOf(account: Hex): Hex {
  return encodeBalanceOf(account)
}

/** `getNonce(sender, key)` of the EntryPoint: the key (192 bits), then the next sequence number (64 bits). */
export function encodeGetNonce(sender: Hex, key: bigint): Hex {
  return abiCall(getNonce, abiAddress(sender), abiUint(key, 192))
}

/** `latestRoundData()` of a price feed: round, answer (signed), started at, updated at, answered in round. */
export function encodeLatestRoundData(): Hex {
  return abiCall(latestRoundData)
}

/** `decimals()` of a price feed or token. */
export function encodeDecimals(): Hex {
  return abiCall(decimals)
}

/** The 32-byte words of an answer as unsigned integers; anything but whole words is `invalid_payload`. */
export function decodeWords(data: Hex): bigint[] {
  const bytes = fromHex0x(data, true)
  if (!bytes || bytes.length % 32 !== 0) throw invalidPayload('The answer is not made of whole words.')
  return Array.from({ length: bytes.length / 32 }, (_, index) =>
    bytesToQuantity(bytes.subarray(32 * index, 32 * index + 32)),
  )
}
