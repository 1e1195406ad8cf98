import { fromBase58, fromBase58Check, toBase58Check } from '../codec/base58.ts'
import { concat } from '../codec/concat.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import { accountBytes } from '../evm/address.ts'
import { invalidPayload } from '../network-error.ts'

const prefix = 0x41

/** The 21 bytes of a public key's address: prefix 0x41, then the 20 bytes of its EVM address. */
export function accountAddress(publicKey: Uint8Array): Uint8Array {
  return prefixed(accountBytes(publicKey))
}

/** T…: the text of a contract's or account's 20 bytes, as the virtual machine knows them. */
export function machineAddressText(bytes: Uint8Array): string {
  return toBase58Check(prefix, bytes)
}

/** T…: the text of 21 address bytes; anything else is `invalid_payload`. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length !== 21 || bytes[0] !== prefix)
    throw invalidPayload('An address of the payload is malformed.')
  return toBase58Check(prefix, bytes.subarray(1))
}

/** Whether bytes are those of a wallet's own T…: it was made from its key, so that its checksum is not proven again. */
export function isOwnAddress(bytes: Uint8Array, wallet: string): boolean {
  return bytes.length === 21 && isSameBytes(bytes, fromBase58(wallet)?.subarray(0, -4) ?? new Uint8Array())
}

function prefixed(bytes: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(prefix), bytes)
}

/** Whether a text is an address, its checksum included. */
export function isTronAddress(text: string): boolean {
  const read = fromBase58Check(text)
  return read?.version === prefix && read.payload.length === 20
}
