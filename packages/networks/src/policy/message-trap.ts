import type { Chain } from '../chains.ts'
import { fromBase64 } from '../codec/base64.ts'
import { fromHex } from '../codec/hex.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { isHashText } from '../intent/hash-text.ts'
import type { MessageIntent } from '../intent/intent.ts'
import { looksLikeTransaction } from '../raw-message.ts'

/** No transaction of the four networks is shorter, so that no short word counts as the base64 of one. */
const transactionMin = 64

/** Whether a message is 32 bytes, or the text of such in hex: it could be the hash of an operation of a smart account. */
export function isHashMessage(message: Uint8Array): boolean {
  return message.length === 32 || isHashText(message)
}

/** The contract of NEAR Intents, which takes a signed message for an order. */
const intentsContract = 'intents.near'
/** By which zkSync, Loopring, Lighter, Umbra and others ask for a signature that is the seed of a key, or registers one. */
const keySeed =
  /\bonly sign this (?:message|request|key linking request)\b|\bsign this message to access loopring\b/i

/**
 * Whether a message moves value without being a transaction: NEAR Intents (NEP-413, ERC-191, TIP-191, SEP-53, in one JSON form), and
 * words whose signature is another key.
 */
export function isOrderMessage({ message, recipient }: MessageIntent): boolean {
  if (recipient === intentsContract) return true
  const text = decodeUtf8(message)
  return text !== undefined && (keySeed.test(text) || hasIntents(text))
}

function hasIntents(text: string): boolean {
  if (!text.includes('{')) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'intents' in value && Array.isArray(value.intents)
  } catch {
    return false
  }
}

/**
 * Whether a message of an ed25519 key could pass for a transaction: bare bytes (`scheme: raw`), and what parses as one of
 * Solana, Near, Aptos or Stellar, as it is or as the text of it in hex or base64. One key serves all four networks.
 */
export function isTransactionMessage({ message, scheme }: MessageIntent, { curve }: Chain): boolean {
  if (scheme === 'raw') return true
  return curve === 'ed25519' && [message, ...bytesOfText(message)].some(looksLikeTransaction)
}

function bytesOfText(message: Uint8Array): readonly Uint8Array[] {
  const text = decodeUtf8(message)?.trim()
  if (text === undefined) return []
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const padded = standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
  return [fromHex(text.replace(/^0x/i, ''), true), fromBase64(padded)].filter(
    (bytes) => bytes !== undefined && bytes.length >= transactionMin,
  ) as readonly Uint8Array[]
}
