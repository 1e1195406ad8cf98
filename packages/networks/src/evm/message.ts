import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import type { MessageCodec } from '../network.ts'
import { ethereumPrefix, personalMessage } from './personal-message.ts'

/** Messages of EIP-191 (`personal_sign`). */
export const evmMessage: MessageCodec = {
  fields: [],
  payload: ({ message }) => personalMessage(ethereumPrefix, message),
  digest: (payload) => keccak_256(payload),
  encodeSignature: encodeRecoverable,
}
