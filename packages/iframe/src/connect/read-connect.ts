import { isObject, readFields } from '../requests/read-fields.ts'

/** A page's opening message: the version it speaks and its nonce. */
export type Opening = { readonly version: number; readonly nonce: string }

/** 16 bytes in base64url. */
const nonceForm = /^[A-Za-z0-9_-]{22}$/

/** The opening message of a page, exactly as the protocol has it, otherwise `undefined`. */
export function readConnect(data: unknown): Opening | undefined {
  if (!isObject(data) || data['type'] !== 'symbolon:connect') return undefined
  try {
    const { version, nonce } = readFields(data, ['type', 'version', 'nonce'])
    const isGood = Number.isSafeInteger(version) && typeof nonce === 'string' && nonceForm.test(nonce)
    return isGood ? { version: version as number, nonce } : undefined
  } catch {
    return undefined
  }
}
