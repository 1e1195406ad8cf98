import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from '../postgres/postmaster-pid.ts'
import { makeDataFolder } from './data-folder.ts'

/**
 * Makes the data folder and takes it for this process. Throws with the owner's process id where another start has it; a
 * lock left by a killed one is taken over. Answers a function that gives it back.
 */
export function claimDataFolder(folder: string): () => void {
  makeDataFolder(folder)
  // Root's database runs as an unprivileged user, who must pass through here; each secret has its own closed folder or mode.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  const lock = path.join(folder, 'start.pid')
  const own = `${lock}.${process.pid}`
  writeFileSync(own, `${process.pid}\n${birthOf(process.pid)}\n`, { mode: 0o600 })
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        linkSync(own, lock)
        return () => {
          if (ownerOf(lock) === process.pid) rmSync(lock, { force: true })
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        const owner = ownerOf(lock)
        if (owner !== undefined && owner !== process.pid)
          throw new Error(
            `Symbolon already runs on ${folder} (process ${owner}): stop it, or set SYMBOLON_DATA_DIR`,
          )
        if (attempt === 3) throw new Error(`${lock} keeps changing: is another npm start running?`)
        rmSync(lock, { force: true })
      }
    }
  } finally {
    rmSync(own, { force: true })
  }
}

/** Who has the lock and lives; nobody where its process id has gone to a stranger meanwhile. */
function ownerOf(lock: string): number | undefined {
  try {
    const [first = '', birth = ''] = readFileSync(lock, 'utf8').split('\n')
    const pid = Number.parseInt(first, 10)
    return pid > 1 && isAlive(pid) && birth === birthOf(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** When a process began: the boot and the clock tick in it (proc(5), `starttime`). The same for all if the system does not report it. */
function birthOf(pid: number): string {
  try {
    // The name before may have blanks and brackets of its own.
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ') ?? []
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${afterName[20]}`
  } catch {
    return 'unknown'
  }
}
