import { sha256 } from '#sha2'
import { concat } from '../codec/concat.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { MessageCodec } from '../network.ts'

const prefix = encodeUtf8('Stellar Signed Message:\n')

/** Messages of SEP-53. */
export const stellarMessage: MessageCodec = {
  fields: [],
  payload: ({ message }) => concat(prefix, message),
  digest: (payload) => sha256(payload),
  encodeSignature: encodeEd25519,
}
