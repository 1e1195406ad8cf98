import { keccak256 } from '#keccak'
import { encodeRecoverable } from '../ecdsa-signature.ts'
import { personalMessage, tronPrefix } from '../evm/personal-message.ts'
import type { MessageCodec } from '../network.ts'

/** Messages of TIP-191. */
export const tronMessage: MessageCodec = {
  fields: [],
  payload: ({ message }) => personalMessage(tronPrefix, message),
  digest: (payload) => keccak256(payload),
  encodeSignature: encodeRecoverable,
}
