import { sha256 } from '#sha2'
import type { Chain } from '../chain.ts'
import { encodeUtf8 } from '../codec/utf8.ts'

/** The hashes of the passphrases of the public and the test network. */
export const networkIds = [
  'Public Global Stellar Network ; September 2015',
  'Test SDF Network ; September 2015',
].map((passphrase) => sha256(encodeUtf8(passphrase))) as [Uint8Array, Uint8Array]

const [publicId, testId] = networkIds

/** The hash of a network's passphrase, which is in everything that is signed for it. */
export function networkId({ handle }: Chain): Uint8Array {
  return handle === 'stellar' ? publicId : testId
}
