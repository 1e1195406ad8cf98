import type { IncomingHttpHeaders } from 'node:http'
import { bodyBytesMax } from '@symbolon/api'

const unitBytes = 16 << 10

/** The units of its rate limit that a body of so many bytes costs: one, and one more per begun 16 KiB above the first. */
export const bodyWeight = (bytes: number): number => Math.max(1, Math.ceil(bytes / unitBytes))

// Longer than a page of anything but long policies.
const lightAnswerBytes = 256 << 10

/** The units that an answer of so many bytes costs beside its request: none up to 256 KiB, then one per begun 16 KiB. */
export const answerWeight = (bytes: number): number =>
  Math.max(0, Math.ceil((bytes - lightAnswerBytes) / unitBytes))

/**
 * The units of a request whose body is still to come, by its declared length. One where no length is declared, which is counted once
 * the body is there, and for a body that is refused unread.
 */
export function declaredWeight(headers: IncomingHttpHeaders, bytesMax: number = bodyBytesMax): number {
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes > bytesMax ? 1 : bodyWeight(bytes)
}
