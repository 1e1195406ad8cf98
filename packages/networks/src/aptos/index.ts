import { toHex0x } from '../codec/hex.ts'
import { decodeUtf8, encodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Network } from '../network.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'
import { accountAddress } from './address.ts'
import { aptosTransactions } from './transaction.ts'

/** Aptos: legacy ed25519 authentication keys as addresses, messages of the wallet standard, BCS transactions. */
export const aptos: Network = {
  name: 'aptos',
  curve: 'ed25519',
  messageFields: ['nonce'],
  addresses: (publicKey) => ({ aptos: toHex0x(accountAddress(publicKey)) }),
  messagePayload({ message, nonce }) {
    if (typeof nonce !== 'string') throw invalidRequest('The nonce must be a text.')
    const text = decodeUtf8(message)
    if (text === undefined) throw invalidPayload('The message is not UTF-8.')
    return encodeUtf8(`APTOS\nmessage: ${text}\nnonce: ${nonce}`)
  },
  messageDigest: (payload) => payload,
  encodeSignature: encodeEd25519,
  transactions: aptosTransactions,
}
