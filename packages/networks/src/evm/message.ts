import { keccak256 } from '#keccak'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import type { MessageCodec } from '../network.ts'
import { ethereumPrefix, personalMessage } from './personal-message.ts'

/** Messages of EIP-191 (`personal_sign`). */
export const evmMessage: MessageCodec = {
  fields: [],
  payload: ({ message }) => personalMessage(ethereumPrefix, message),
  digest: (payload) => keccak256(payload),
  encodeSignature: encodeRecoverable,
}
