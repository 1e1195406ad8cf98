import { toBase58 } from '../../codec/base58.ts'
import { toHex0x } from '../../codec/hex.ts'
import { bytesToQuantity } from '../../codec/quantity.ts'
import { invalidPayload } from '../../network-error.ts'
import { checksumAddress } from '../address.ts'

/** Call data as a contract reads it: it follows offsets wherever they lead. What is not there is `invalid_payload`. */
export type CallView = {
  word(index: number): Uint8Array
  uint(index: number): bigint
  /** An account, EIP-55; a word that is larger is refused, since a contract may cut it. */
  address(index: number): string
  /** What a tuple or list that the word points to holds, behind the length of a list. */
  at(index: number): CallView
  bytes(index: number): Uint8Array
  /** Of a list: how many items it has. */
  length(index: number): number
  list(index: number): CallView
}

/** More items than anybody hands over in one call. */
const itemsMax = 256

/** A view of data, from `base` on. */
export function callView(data: Uint8Array, base = 0): CallView {
  const slice = (start: number, length: number) => {
    if (start + length > data.length) throw invalidPayload('The call data ends too early.')
    return data.subarray(start, start + length)
  }
  const word = (index: number) => slice(base + 32 * index, 32)
  const small = (bytes: Uint8Array) => {
    const number = bytesToQuantity(bytes)
    if (number > BigInt(data.length)) throw invalidPayload('An offset of the call data leads nowhere.')
    return Number(number)
  }
  const start = (index: number) => base + small(word(index))
  const view: CallView = {
    word,
    uint: (index) => bytesToQuantity(word(index)),
    address(index) {
      const bytes = word(index)
      if (bytes.subarray(0, 12).some((byte) => byte !== 0)) throw invalidPayload('An account is malformed.')
      return checksumAddress(bytes.subarray(12))
    },
    at: (index) => callView(data, start(index)),
    bytes(index) {
      const at = start(index)
      return slice(at + 32, small(slice(at, 32)))
    },
    length(index) {
      const count = small(slice(start(index), 32))
      if (count > itemsMax) throw invalidPayload('A list of the call data is too long.')
      return count
    },
    list: (index) => callView(data, start(index) + 32),
  }
  return view
}

/** An account of any chain in up to 32 bytes: EVM's behind zeros, Solana's in base58, others in hex. */
export function accountText(bytes: Uint8Array, isSolana = false): string {
  if (bytes.length === 20) return checksumAddress(bytes)
  if (bytes.length === 32 && bytes.subarray(0, 12).every((byte) => byte === 0))
    return checksumAddress(bytes.subarray(12))
  return isSolana && bytes.length === 32 ? toBase58(bytes) : toHex0x(bytes)
}
