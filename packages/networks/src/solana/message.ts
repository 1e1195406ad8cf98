import { shareRefreshDomain } from '@symbolon/crypto'
import { toBase58 } from '../codec/base58.ts'
import { toHex0x } from '../codec/hex.ts'
import type { MessageCodec, MessageScope } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { offchainMessage } from './offchain-message.ts'

/** Off-chain messages version 0, bare bytes by `scheme: 'raw'`. */
export const solanaMessage: MessageCodec = {
  fields: ['scheme', 'applicationDomain'],
  payload({ message, scheme, applicationDomain }, scope) {
    if (scheme === undefined) return offchainMessage(message, scope.publicKey, applicationDomain)
    assertNoTransaction(message, scope)
    return message
  },
  digest: (payload) => payload,
  encodeSignature: ({ signature }) => ({
    signature: toHex0x(signature),
    encoding: 'hex',
    signature_base58: toBase58(signature),
  }),
  echo: ({ scheme, applicationDomain }) =>
    scheme === undefined ? { application_domain: toHex0x(applicationDomain ?? new Uint8Array(32)) } : {},
}

/**
 * Refuses bare bytes whose ed25519 signature could be used as that of a transaction: 32 bytes (the hashes that
 * other networks of the curve sign), and whatever starts like a transaction of a network of this curve, or like the statement
 * by which a wallet's shares are replaced.
 */
function assertNoTransaction(message: Uint8Array, { isTransaction }: MessageScope): void {
  if (message.length === 0) throw invalidPayload('The message must not be empty.')
  if (message.length === 32)
    throw invalidPayload('A raw message must not be 32 bytes long: it could be a hash.')
  if (isTransaction(message)) throw invalidPayload('The message is a transaction.')
  if (startsWith(message, shareRefreshDomain))
    throw invalidPayload('The message would replace the shares of the wallet.')
}

const startsWith = (message: Uint8Array, domain: string): boolean =>
  new TextDecoder().decode(message.subarray(0, domain.length)) === domain
