import { toBech32 } from '../codec/bech32.ts'

/** The address of a witness program: bech32 for version 0 (BIP-173), bech32m above (BIP-350). */
export function witnessAddress(prefix: 'bc' | 'tb', version: number, program: Uint8Array): string {
  return toBech32(prefix, program, [version], version === 0 ? 'bech32' : 'bech32m')
}
