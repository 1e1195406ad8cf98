import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The process id in `postmaster.pid` of a data directory, or undefined where nothing claims it. */
export function postmasterPid(data: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'), 10)
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * True while a process lives, whether it is ours or not. One that has ended and that nobody waited for (a zombie, as below a first process
 * of a container that reaps none) is dead, though signals still reach its number.
 */
export function isAlive(pid: number): boolean {
  return hasNumber(pid) && !isZombie(pid)
}

function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Only Linux shows it; elsewhere the first process reaps. */
function isZombie(pid: number): boolean {
  try {
    // proc(5): `pid (name) state`, and the name may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

/** How long a server may take to begin its shutdown once its parent is gone, and to finish it. */
const patienceMs = { beginning: 2_000, stopping: 30_000 }

/**
 * Makes the data directory ours: waits for a former server that is shutting down and removes a pid file whose number a
 * stranger got meanwhile, which PostgreSQL would take for a running server. Throws where a server keeps running.
 */
export async function claimDataDirectory(data: string): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const pid = postmasterPid(data)
    if (pid === undefined || !hasNumber(pid)) return
    if (isZombie(pid)) return nameNobody(data)
    if (isStranger(pid, data)) {
      rmSync(path.join(data, 'postmaster.pid'), { force: true })
      return
    }
    if (performance.now() - startedAt > (isStopping(data) ? patienceMs.stopping : patienceMs.beginning))
      throw new Error(
        `The database in ${data} is in use by process ${pid}: stop it, or choose another data folder`,
      )
    await sleep(20)
  }
}

/** Above what the kernel gives out (proc(5), `pid_max`). */
const nobody = 2 ** 22 + 1

/**
 * PostgreSQL takes a zombie for a running server. The rest of the file stays: by it, PostgreSQL sees whether children of the former server
 * still have its memory.
 */
function nameNobody(data: string): void {
  const file = path.join(data, 'postmaster.pid')
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [nobody, ...rest].join('\n'))
}

/** The last line of `postmaster.pid` has the server's state (PostgreSQL, `pidfile.h`). */
function isStopping(data: string): boolean {
  try {
    return /^stopping\s*$/m.test(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'))
  } catch {
    return false
  }
}

/** A postmaster works inside its data directory. Only Linux shows it; elsewhere PostgreSQL's own check decides. */
function isStranger(pid: number, data: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== path.resolve(data)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES' && process.platform === 'linux' && !isAlive(pid)
  }
}
