import { toBase64 } from '../codec/base64.ts'
import { decodeUtf8, encodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { MessageCodec } from '../network.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'

/** Messages of the Aptos wallet standard: `full_message` names the application's nonce, a text. */
export const aptosMessage: MessageCodec = {
  fields: ['nonce'],
  complete: (message, _address, random) =>
    message.nonce === undefined ? { ...message, nonce: toBase64(random(16)).slice(0, 22) } : message,
  payload({ message, nonce }) {
    if (typeof nonce !== 'string') throw invalidRequest('The nonce must be a text.')
    const text = decodeUtf8(message)
    if (text === undefined) throw invalidPayload('The message is not UTF-8.')
    return encodeUtf8(`APTOS\nmessage: ${text}\nnonce: ${nonce}`)
  },
  digest: (payload) => payload,
  encodeSignature: encodeEd25519,
  echo: (_message, payload) => ({ full_message: decodeUtf8(payload) ?? '' }),
}
