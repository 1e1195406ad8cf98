import { fromBase64 } from '../codec/base64.ts'
import { fromHex } from '../codec/hex.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { isHashText } from '../intent/hash-text.ts'
import type { MessageIntent } from '../intent/intent.ts'
import { isTransactionOf, type Payload } from '../payload.ts'

/** No transaction of an ed25519 network is shorter, so that no short word counts as the base64 of one. */
const transactionMin = 64

/** Whether a message is 32 bytes, or the text of such in hex: it could be the hash of an operation of a smart account. */
export function isHashMessage(message: Uint8Array): boolean {
  return message.length === 32 || isHashText(message)
}

/** Whether a message moves value by a protocol of some network, without being a transaction, or its signature is another key. */
export function isOrderMessage(intent: MessageIntent, { networks }: Pick<Payload, 'networks'>): boolean {
  return networks.list.some(({ policy }) => policy?.isOrder?.(intent) === true)
}

/**
 * Whether a message could pass for a transaction of a network of the same curve: bare bytes (`scheme: raw`), and what starts like one,
 * as it is or as the text of it in hex or base64.
 */
export function isTransactionMessage(
  { message, scheme }: MessageIntent,
  payload: Pick<Payload, 'networks' | 'network'>,
): boolean {
  if (scheme === 'raw') return true
  return (
    payload.network.curve === 'ed25519' &&
    [message, ...bytesOfText(message)].some((bytes) => isTransactionOf(payload, bytes))
  )
}

function bytesOfText(message: Uint8Array): readonly Uint8Array[] {
  const text = decodeUtf8(message)?.trim()
  if (text === undefined) return []
  const standard = withoutPadding(text.replaceAll('-', '+').replaceAll('_', '/'))
  const padded = standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
  return [fromHex(text.replace(/^0x/i, ''), true), fromBase64(padded)].filter(
    (bytes) => bytes !== undefined && bytes.length >= transactionMin,
  ) as readonly Uint8Array[]
}

/** An expression would begin anew at each of many signs. */
function withoutPadding(text: string): string {
  let end = text.length
  while (text[end - 1] === '=') end -= 1
  return text.slice(0, end)
}
