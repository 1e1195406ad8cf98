import { concat } from '../codec/concat.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload, invalidRequest } from '../network-error.ts'

/** 0xff "solana offchain": no transaction starts with it. */
const signingDomain = Uint8Array.of(
  0xff,
  0x73,
  0x6f,
  0x6c,
  0x61,
  0x6e,
  0x61,
  0x20,
  0x6f,
  0x66,
  0x66,
  0x63,
  0x68,
  0x61,
  0x69,
  0x6e,
)
const defaultApplicationDomain = new Uint8Array(32)
/** Bytes before the text with one signer: domain, version, application domain, format, signers, length. */
const preambleLength = 16 + 1 + 32 + 1 + 1 + 32 + 2
/** What a hardware wallet can show: one packet, preamble included. */
const hardwareLimit = 1232
const formats = { restrictedAscii: 0, utf8: 1, longUtf8: 2 } as const

/**
 * A Solana off-chain message, version 0, with one signer, byte for byte as `@solana/kit` compiles it, in the
 * most restricted format that fits. The text must be UTF-8, 1 to 65,535 bytes.
 */
export function offchainMessage(
  message: Uint8Array,
  publicKey: Uint8Array,
  applicationDomain: Uint8Array = defaultApplicationDomain,
): Uint8Array {
  if (applicationDomain.length !== 32) throw invalidRequest('The application domain must be 32 bytes long.')
  if (message.length === 0) throw invalidPayload('The message must not be empty.')
  if (message.length > 0xffff) throw invalidPayload('The message is longer than 65,535 bytes.')
  return concat(
    signingDomain,
    Uint8Array.of(0),
    applicationDomain,
    Uint8Array.of(formatOf(message), 1),
    publicKey,
    Uint8Array.of(message.length & 0xff, message.length >> 8),
    message,
  )
}

function formatOf(message: Uint8Array): number {
  const fits = message.length <= hardwareLimit - preambleLength
  if (fits && message.every((byte) => byte >= 0x20 && byte <= 0x7e)) return formats.restrictedAscii
  if (decodeUtf8(message) === undefined) throw invalidPayload('The message is not UTF-8.')
  return fits ? formats.utf8 : formats.longUtf8
}
