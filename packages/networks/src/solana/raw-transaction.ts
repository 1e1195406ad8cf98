import { byteReader } from '../codec/byte-reader.ts'
import { concat } from '../codec/concat.ts'
import { invalidPayload, unlessRefused } from '../network-error.ts'
import { compactLength } from './compact-length.ts'
import { decodeSolanaMessage, isSameKey, type SolanaMessage } from './transaction-message.ts'

/** A message, the signatures that came with it (zeros where one misses) and the wallet's place among them. */
export type SolanaTransaction = {
  readonly message: SolanaMessage
  readonly signatures: readonly Uint8Array[]
  readonly place: number
}

/** What one network packet carries (`PACKET_DATA_SIZE`); no validator takes a longer legacy or v0 transaction. */
const packetBytes = 1232
const signatureBytes = 64

/**
 * Decodes a bare message or a transaction with a slot for each signature. `invalid_payload` when it is neither or
 * both, longer than a packet, or when `publicKey` is not a required signer.
 */
export function decodeSolanaTransaction(bytes: Uint8Array, publicKey: Uint8Array): SolanaTransaction {
  if (bytes.length > packetBytes) throw invalidPayload('The transaction is longer than 1,232 bytes.')
  const { message, signatures } = onlyForm(bytes)
  if (1 + signatures.length * signatureBytes + message.bytes.length > packetBytes) {
    throw invalidPayload('The signed transaction would be longer than 1,232 bytes.')
  }
  const place = message.keys.findIndex((key, index) => index < message.signers && isSameKey(key, publicKey))
  if (place === -1) throw invalidPayload('The wallet is not a signer of the transaction.')
  return { message, signatures, place }
}

/** The transaction with slots, in the order of the signers. */
export function encodeSolanaTransaction(
  message: SolanaMessage,
  signatures: readonly Uint8Array[],
): Uint8Array {
  // At most 19 signatures fit, so that their count is one byte.
  return concat(Uint8Array.of(signatures.length), ...signatures, message.bytes)
}

type Form = Pick<SolanaTransaction, 'message' | 'signatures'>

function bareForm(bytes: Uint8Array): Form {
  const message = decodeSolanaMessage(bytes)
  return { message, signatures: Array.from({ length: message.signers }, () => new Uint8Array(64)) }
}

/** As many slots as the message behind them has signers, or it is not that form. */
function wireForm(bytes: Uint8Array): Form | undefined {
  const count = bytes[0] ?? 0
  const start = 1 + count * signatureBytes
  const header = bytes[start] === 0x80 ? bytes[start + 1] : bytes[start]
  if (count === 0 || count >= 0x80 || header !== count) return undefined
  return unlessRefused(() => {
    const reader = byteReader(bytes)
    const signatures = Array.from({ length: compactLength(reader) }, () => reader.bytes(signatureBytes))
    return { message: decodeSolanaMessage(reader.bytes(reader.left())), signatures }
  })
}

/** Bytes that are a transaction and a bare message at once could be shown as one and sent as the other. */
function onlyForm(bytes: Uint8Array): Form {
  const wire = wireForm(bytes)
  if (wire === undefined) return bareForm(bytes)
  // A bare message has room for its keys, the signers among them; most slots do not look like it.
  const [signers = 0, , , keys = 0] = bytes
  const canBeBare = keys >= signers && bytes.length >= 4 + 32 * keys + 32 + 1
  if (canBeBare && unlessRefused(() => bareForm(bytes)) !== undefined) {
    throw invalidPayload('The bytes can be read in two ways.')
  }
  return wire
}
