import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** Where a pattern was found: its index in the given list, the address and the name of the memory region. */
export type MemoryHit = { pattern: number; address: string; region: string }

const chunkBytes = 8 << 20

/** Says whether this machine lets us read other processes' memory (Linux, same user or root). */
export const canScanMemory: boolean = process.platform === 'linux'

/**
 * Finds byte patterns in all writable memory of another live process (`/proc/<pid>/mem`), heap, stacks and locked
 * memory included. Give it a pattern that is surely there as well (a positive control), or an empty answer proves
 * nothing. Regions that vanish meanwhile are skipped; anything else unreadable throws.
 */
export function scanMemory(pid: number, patterns: readonly Uint8Array[]): MemoryHit[] {
  if (pid === process.pid) throw new Error('a process that scans itself finds its own patterns')
  const overlap = Math.max(...patterns.map((pattern) => pattern.length)) - 1
  const buffer = Buffer.alloc(chunkBytes + overlap)
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const hits: MemoryHit[] = []
  try {
    for (const { start, end, region } of writableRegions(pid)) {
      for (let at = start; at < end; at += chunkBytes) {
        const length = readAt(memory, buffer, at, Math.min(buffer.length, end - at))
        const chunk = buffer.subarray(0, length)
        for (const [pattern, bytes] of patterns.entries()) {
          for (let i = chunk.indexOf(bytes); i >= 0 && i < chunkBytes; i = chunk.indexOf(bytes, i + 1)) {
            hits.push({ pattern, address: (at + i).toString(16), region })
          }
        }
      }
    }
  } finally {
    buffer.fill(0)
    closeSync(memory)
  }
  return hits
}

function writableRegions(pid: number): { start: number; end: number; region: string }[] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')
  return lines.flatMap((line) => {
    const match = /^([0-9a-f]+)-([0-9a-f]+) rw\S* \S+ \S+ \S+\s*(.*)$/.exec(line)
    const [, start, end, region] = match ?? []
    if (start === undefined || end === undefined || region?.startsWith('[v')) return []
    return [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16), region: region ?? '' }]
  })
}

// A region may be unmapped, or protected by libsodium, between listing and reading: EIO, then there is nothing.
function readAt(memory: number, buffer: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, buffer, 0, length, at)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EIO' || error.code === 'EFAULT'))
      return 0
    throw error
  }
}
