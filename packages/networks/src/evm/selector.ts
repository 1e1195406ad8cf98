import { keccak256 } from '#keccak'
import { type Hex, toHex, toHex0x } from '../codec/hex.ts'
import { encodeUtf8 } from '../codec/utf8.ts'

/** The 8 hex digits (no 0x) that a method's signature such as `transfer(address,uint256)` puts before its arguments. */
export function selectorOf(signature: string): string {
  return toHex(keccak256(encodeUtf8(signature)).subarray(0, 4))
}

/** The first topic of an event's logs: keccak of its signature such as `Transfer(address,address,uint256)`. */
export function eventTopic(signature: string): Hex {
  return toHex0x(keccak256(encodeUtf8(signature)))
}
