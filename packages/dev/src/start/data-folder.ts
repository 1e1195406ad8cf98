import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { isAlive } from '../postgres/postmaster-pid.ts'

const repository = path.resolve(import.meta.dirname, '../../../..')

/** Absolute path of the data folder: `SYMBOLON_DATA_DIR`, or `.symbolon` in the repository. */
export function dataFolderPath(environment: NodeJS.ProcessEnv): string {
  const chosen = environment['SYMBOLON_DATA_DIR']
  return chosen ? path.resolve(chosen) : path.join(repository, '.symbolon')
}

/** Where the compiled code of the children is kept. */
export function compileCacheFolder(dataFolder: string): string {
  return path.join(dataFolder, 'compile-cache')
}

/** Makes the data folder with those above it. Throws with the variable's name where it cannot be one, or not be written to. */
export function makeDataFolder(folder: string): void {
  try {
    const missing: string[] = []
    for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.unshift(at)
    // One by one: `recursive` never comes back from folders of the kernel's, such as those in /proc.
    for (const each of missing) makeFolder(each)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `SYMBOLON_DATA_DIR is ${folder}: it wants a folder that can be made and written to (${code})`,
    )
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another start may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Makes the data folder and takes it for this process. Throws with the owner's process id where another start has it; a
 * lock left by a killed one is taken over. Answers a function that gives it back.
 */
export function claimDataFolder(folder: string): () => void {
  makeDataFolder(folder)
  // Root's database runs as a lesser user, who has to pass through here; each secret has its own closed folder or mode.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  const lock = path.join(folder, 'start.pid')
  const own = `${lock}.${process.pid}`
  writeFileSync(own, `${process.pid}\n`, { mode: 0o600 })
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        linkSync(own, lock)
        return () => {
          if (readOwner(lock) === process.pid) rmSync(lock, { force: true })
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        const owner = readOwner(lock)
        if (owner !== undefined && owner !== process.pid && isStart(owner))
          throw new Error(
            `Symbolon already runs on ${folder} (process ${owner}): stop it, or set SYMBOLON_DATA_DIR`,
          )
        if (attempt === 3) throw new Error(`${lock} keeps changing: is another start at work?`)
        rmSync(lock, { force: true })
      }
    }
  } finally {
    rmSync(own, { force: true })
  }
}

function readOwner(lock: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
    return pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** A process id may have gone to a stranger meanwhile; where the system does not tell, it counts as ours. */
function isStart(pid: number): boolean {
  if (!isAlive(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.ts')
  } catch {
    return true
  }
}
