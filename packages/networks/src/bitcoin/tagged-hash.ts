import { sha256 } from '#sha2'
import { concat } from '../codec/concat.ts'
import { encodeUtf8 } from '../codec/utf8.ts'

/** SHA-256 of the parts, set apart from other uses by a tag (BIP-340). */
export function taggedHash(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const tagHash = sha256(encodeUtf8(tag))
  return sha256(concat(tagHash, tagHash, ...parts))
}
