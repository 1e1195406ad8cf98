import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 50
/** `SQLITE_BUSY`: somebody else has it. */
const busy = 5

/**
 * Does the work while no other process of this repository builds. The lock is SQLite's own on an empty file: the system takes
 * it back from whoever dies, so there is nothing to clean up.
 */
export async function withBuildLock<result>(root: string, work: () => Promise<result>): Promise<result> {
  const folder = path.join(root, 'node_modules/.cache/build')
  mkdirSync(folder, { recursive: true })
  const lock = new DatabaseSync(path.join(folder, 'lock.db'), { timeout: 0 })
  try {
    while (!take(lock)) await sleep(pollMs)
    return await work()
  } finally {
    lock.close()
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== busy) throw error
    return false
  }
}
