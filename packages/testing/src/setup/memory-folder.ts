import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from '@symbolon/dev/testing/postgres'

const memory = '/dev/shm'
const name = /^symbolon-tests-(\d+)$/
const roomNeeded = 4 * 1024 ** 3

/**
 * Puts the temporary files of a run into memory where the machine has a file system there with 4 GiB to spare: a test database is
 * hundreds of files, and some disks take a millisecond to create one. Who set `TMPDIR` keeps it. Runs once per project; only
 * the first one finds something to do. The folder goes when the run ends; one of a run that was killed goes at the next.
 */
export function setup(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return
  removeLeftovers()
  const folder = path.join(memory, `symbolon-tests-${process.pid}`)
  // The database may run as another user, who has to pass through.
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= roomNeeded
  } catch {
    return false
  }
}

function removeLeftovers(): void {
  for (const entry of readdirSync(memory)) {
    const pid = Number(name.exec(entry)?.[1])
    const folder = path.join(memory, entry)
    if (pid > 0 && !isAlive(pid) && statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true })
  }
}
