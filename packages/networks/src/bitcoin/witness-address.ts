import { bech32, bech32m } from '@scure/base'

/** The address of a witness program: bech32 for version 0 (BIP-173), bech32m above (BIP-350). */
export function witnessAddress(prefix: 'bc' | 'tb', version: number, program: Uint8Array): string {
  const encoding = version === 0 ? bech32 : bech32m
  return encoding.encode(prefix, [version, ...encoding.toWords(program)])
}
