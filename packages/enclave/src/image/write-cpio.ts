import { assertTree, type CpioEntry, CpioError, cpio, cpioKinds } from './cpio.ts'

// A whole sector, so that archives can follow each other in memory.
const blockBytes = 512
const fileBytesMax = 0xffff_ffff

/**
 * Writes a ramdisk (cpio, `newc`): the same bytes for the same entries in whatever order they come, all of owner 0, of 1 January 1970 and
 * sorted by path. Throws `CpioError` where the entries make no tree.
 */
export function writeCpio(entries: readonly CpioEntry[]): Uint8Array {
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  assertTree(sorted)
  const parts: Uint8Array[] = []
  for (const [index, entry] of sorted.entries()) {
    const data = dataOf(entry)
    const [major, minor] = entry.kind === 'device' ? [entry.major, entry.minor] : [0, 0]
    parts.push(header(entry.path, index + 1, modeOf(entry), data.length, major, minor), ...aligned(data))
  }
  parts.push(header(cpio.trailer, 0, 0, 0, 0, 0))
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  parts.push(new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes))
  return Buffer.concat(parts)
}

function dataOf(entry: CpioEntry): Uint8Array {
  if (entry.kind === 'link') return new TextEncoder().encode(entry.target)
  if (entry.kind !== 'file') return new Uint8Array(0)
  if (entry.data.length > fileBytesMax) throw new CpioError(`${entry.path} is too large for a ramdisk`)
  return entry.data
}

function modeOf(entry: CpioEntry): number {
  const mode = entry.kind === 'link' ? 0o777 : entry.mode
  if (!Number.isInteger(mode) || mode < 0 || mode > 0o777)
    throw new CpioError(`${entry.path} has other mode bits than read, write and execute`)
  return cpioKinds[entry.kind] | mode
}

/** The links' count is 1 for all, so that the kernel takes no two entries for the same file. */
function header(
  name: string,
  inode: number,
  mode: number,
  size: number,
  major: number,
  minor: number,
): Uint8Array {
  const [owner, group, links, time, device, checksum] = [0, 0, 1, 0, 0, 0]
  const numbers = [inode, mode, owner, group, links, time, size, device, device, major, minor]
  const text = [...numbers, name.length + 1, checksum].map((one) =>
    one.toString(16).padStart(8, '0').toUpperCase(),
  )
  return Buffer.concat(aligned(Buffer.from(`${cpio.magic}${text.join('')}${name}\0`, 'latin1')))
}

function aligned(bytes: Uint8Array): Uint8Array[] {
  return [bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)]
}
