import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from '@symbolon/dev/testing/postgres'

const name = /^symbolon-tests-(\d+)-/
const gib = 1024 ** 3

/**
 * Puts the temporary files of a run into memory where the machine has a file system there with 4 GiB to spare: a test database is
 * hundreds of files, and some disks take a millisecond to create one. A `TMPDIR` that is set stays. vitest
 * calls this once per project; only the first call does anything. The folder is removed when the run ends, or, after a kill, by the next run.
 */
export function setup(): void {
  useMemoryFolder('/dev/shm')
}

/** The same in another file system; `roomNeeded` in bytes. */
export function useMemoryFolder(memory: string, roomNeeded = 4 * gib): void {
  if (process.env['TMPDIR'] !== undefined || roomIn(memory) < roomNeeded) return
  removeLeftovers(memory)
  const folder = mkdtempSync(path.join(memory, `symbolon-tests-${process.pid}-`))
  // The database may run as another user, who has to pass through.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** Free bytes; -1 where there is no such file system. */
function roomIn(memory: string): number {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize
  } catch {
    return -1
  }
}

function removeLeftovers(memory: string): void {
  for (const entry of readdirSync(memory)) {
    const pid = Number(name.exec(entry)?.[1])
    const folder = path.join(memory, entry)
    if (pid > 0 && !isAlive(pid) && lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true })
  }
}
