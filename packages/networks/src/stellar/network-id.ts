import { sha256 } from '@noble/hashes/sha2.js'
import type { Chain } from '../chains.ts'

const [publicId, testId] = [
  'Public Global Stellar Network ; September 2015',
  'Test SDF Network ; September 2015',
].map((passphrase) => sha256(new TextEncoder().encode(passphrase))) as [Uint8Array, Uint8Array]

/** The hash of a network's passphrase, which is in everything that is signed for it. */
export function networkId({ handle }: Chain): Uint8Array {
  return handle === 'stellar' ? publicId : testId
}
