import type { SignRequest } from '@symbolon/api'

// What goes around a payload: prefixes, a recipient, a URL.
const besideIt = 256

/** About how long what is signed is, in bytes: infinite where only decoding says. */
export function payloadLength(request: SignRequest): number {
  switch (request.type) {
    case 'message':
      return request.message.length + besideIt
    case 'transaction':
      return typeof request.transaction === 'string' ? request.transaction.length : Number.POSITIVE_INFINITY
    case 'typed_data':
      return Number.POSITIVE_INFINITY
    default:
      return 0
  }
}
