import { fromBase58Check, toBase58Check } from '../codec/base58.ts'
import { concat } from '../codec/concat.ts'
import type { PrivateKeyForm } from '../network.ts'
import { invalidRequest } from '../network-error.ts'

const mainVersion = 0x80
const testVersion = 0xef
/** Says of a WIF that its addresses are made of the compressed public key. */
const compressedMark = Uint8Array.of(1)

/** WIF of a compressed key; that of the test network is read too. */
export const bitcoinPrivateKey: PrivateKeyForm = {
  label: 'Bitcoin (WIF)',
  format(key) {
    const payload = concat(key, compressedMark)
    const text = toBase58Check(mainVersion, payload)
    payload.fill(0)
    return text
  },
  parse(text) {
    if (text.length > 52) return undefined
    const { version, payload } = fromBase58Check(text) ?? {}
    if (payload === undefined || (version !== mainVersion && version !== testVersion)) return undefined
    if (payload.length === 32)
      throw invalidRequest('This WIF is of an uncompressed key, whose addresses this wallet would not have.')
    return payload.length === 33 && payload[32] === 1 ? payload.subarray(0, 32) : undefined
  },
}
