import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The 32-byte HMAC-SHA256 (RFC 2104) of a text's UTF-8: what is stored of a credential, useless without the pepper.
 */
export const keyedHash = (pepper: KeyObject, text: string): Uint8Array =>
  createHmac('sha256', pepper).update(text, 'utf8').digest()
