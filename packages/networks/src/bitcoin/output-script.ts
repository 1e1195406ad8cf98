import type { Chain } from '../chain.ts'
import { toBase58Check } from '../codec/base58.ts'
import { witnessAddress } from './witness-address.ts'

/** Script templates with an address, as their bytes before and after the hash or key, and its length. */
const templates = [
  { before: [0x00, 20], length: 20, after: [], witness: 0 },
  { before: [0x00, 32], length: 32, after: [], witness: 0 },
  { before: [0x51, 32], length: 32, after: [], witness: 1 },
  { before: [0x76, 0xa9, 20], length: 20, after: [0x88, 0xac], prefix: { bc: 0, tb: 0x6f } },
  { before: [0xa9, 20], length: 20, after: [0x87], prefix: { bc: 5, tb: 0xc4 } },
] as const

/**
 * The address that pays to a script: P2WPKH, P2WSH, P2TR, P2PKH or P2SH (BIP-173, BIP-350, BIP-13), in the form of the
 * chain's network. `undefined` for every other script.
 */
export function scriptAddress(script: Uint8Array, chain: Chain): string | undefined {
  const network = chain.handle === 'bitcoin' ? 'bc' : 'tb'
  for (const template of templates) {
    const { before, length, after } = template
    const end = before.length + length
    const isMatch =
      script.length === end + after.length &&
      before.every((byte, index) => script[index] === byte) &&
      after.every((byte, index) => script[end + index] === byte)
    if (!isMatch) continue
    const program = script.subarray(before.length, end)
    return 'witness' in template
      ? witnessAddress(network, template.witness, program)
      : toBase58Check(template.prefix[network], program)
  }
  return undefined
}

/** What an OP_RETURN output carries, its bytes after the opcode; `undefined` for a script that can be spent. */
export function returnedData(script: Uint8Array): Uint8Array | undefined {
  return script[0] === 0x6a ? script.subarray(1) : undefined
}
