import { fileStamp, readPrivateFile } from '@symbolon/crypto/node'
import { RingError } from './ring.ts'
import { parseRing, type RingContent } from './ring-content.ts'

/** The text of a private file, undefined where there is none. Throws `RingError('unreadable')`. */
export function readText(path: string): string | undefined {
  try {
    return readPrivateFile(path)
  } catch (error) {
    throw new RingError('unreadable', path, error)
  }
}

/** The state of a file, undefined where there is none. Throws `RingError('unreadable')`. */
export function stampOf(path: string): string | undefined {
  try {
    return fileStamp(path)
  } catch (error) {
    throw new RingError('unreadable', path, error)
  }
}

/** As `stampOf`; undefined also where it cannot be read. */
export function stampOrNone(path: string): string | undefined {
  try {
    return fileStamp(path)
  } catch {
    return undefined
  }
}

/** The secrets of a ring file. Throws `RingError`: `missing` or `unreadable`. */
export function readRing(path: string): RingContent {
  const text = readText(path)
  if (text === undefined) throw new RingError('missing', path)
  const ring = parseRing(text)
  if (ring === undefined) throw new RingError('unreadable', path)
  return ring
}
