import type { IncomingHttpHeaders } from 'node:http'
import { bodyBytesMax } from '@symbolon/api'

const unitBytes = 16 << 10

/** The units of its rate limit that a body of so many bytes costs: one, and one more per begun 16 KiB above the first. */
export const bodyWeight = (bytes: number): number => Math.max(1, Math.ceil(bytes / unitBytes))

/**
 * The units of a request whose body is still to come, by its declared length. One where no length is declared, which is counted once
 * the body is there, and for a body that is refused unread.
 */
export function declaredWeight(headers: IncomingHttpHeaders, bytesMax: number = bodyBytesMax): number {
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes > bytesMax ? 1 : bodyWeight(bytes)
}
