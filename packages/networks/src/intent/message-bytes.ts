import { fromBase64 } from '../codec/base64.ts'
import { fromHex0x } from '../codec/hex.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { invalidRequest } from '../network-error.ts'

/** How the text of a message stands for bytes. */
export type MessageEncoding = 'utf8' | 'hex' | 'base64'

/**
 * The bytes of a message field. Hex has 0x, base64 is padded and canonical, otherwise
 * `invalid_request`; a lone surrogate in `utf8` is `invalid_payload`.
 */
export function messageBytes(message: string, encoding: MessageEncoding): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return encodeUtf8(message)
    case 'hex': {
      const bytes = fromHex0x(message, true)
      if (!bytes) throw invalidRequest('The message is not 0x hex.')
      return bytes
    }
    case 'base64': {
      const bytes = fromBase64(message)
      if (!bytes) throw invalidRequest('The message is not padded base64.')
      return bytes
    }
  }
}
