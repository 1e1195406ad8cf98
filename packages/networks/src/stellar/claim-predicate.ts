import { expiryMs } from '../preview/expiry.ts'
import type { XdrReader } from './xdr-reader.ts'

/** Reads a ClaimPredicate: when a balance can be claimed, in words. */
export function readPredicate(reader: XdrReader): string {
  return reader.nested(readRule)
}

function readRule(reader: XdrReader): string {
  switch (reader.tag(6)) {
    case 0:
      return 'any time'
    case 1:
      return `(${reader.list(2, readPredicate).join(' and ')})`
    case 2:
      return `(${reader.list(2, readPredicate).join(' or ')})`
    case 3:
      return `not ${reader.option(readPredicate) ?? 'at all'}`
    case 4:
      return `before ${timeText(reader.amount())}`
    default:
      return `within ${reader.amount()} seconds`
  }
}

function timeText(seconds: bigint): string {
  const timeMs = expiryMs(seconds)
  return timeMs === undefined ? `second ${seconds}` : new Date(timeMs).toISOString()
}
