import { sha256 } from '#sha2'
import { byteWriter } from '../codec/byte-writer.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { MessageCodec } from '../network.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'

/** 2^31 + 413: no transaction starts with it (NEP-413). */
const payloadTag = 2 ** 31 + 413

/** Messages of NEP-413; who names no recipient speaks to the wallet's own account. */
export const nearMessage: MessageCodec = {
  fields: ['nonce', 'recipient', 'callbackUrl'],
  nonce: 'base64',
  complete: (message, address, random) => ({
    ...message,
    nonce: message.nonce ?? random(32),
    recipient: message.recipient ?? address(),
  }),
  payload({ message, nonce, recipient, callbackUrl }) {
    if (!(nonce instanceof Uint8Array) || nonce.length !== 32)
      throw invalidRequest('The nonce must be 32 bytes.')
    if (recipient === undefined) throw invalidRequest('The recipient is missing.')
    if (decodeUtf8(message) === undefined) throw invalidPayload('The message is not UTF-8.')
    const writer = byteWriter(128 + message.length)
    writer.u32(payloadTag)
    writer.sizedBytes(message)
    writer.bytes(nonce)
    writer.sizedText(recipient)
    writer.u8(callbackUrl === undefined ? 0 : 1)
    if (callbackUrl !== undefined) writer.sizedText(callbackUrl)
    return writer.finish()
  },
  digest: (payload) => sha256(payload),
  encodeSignature: encodeEd25519,
}
