import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartConfigError } from './start-config-error.ts'
import { isOfDisk } from './start-fault.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

/** Absolute path of the data folder: `SYMBOLON_DATA_DIR`, or `.symbolon` in the repository. */
export function dataFolderPath(environment: NodeJS.ProcessEnv): string {
  const chosen = environment['SYMBOLON_DATA_DIR']
  return chosen ? path.resolve(chosen) : path.join(repository, '.symbolon')
}

/** Where the compiled code of the children is kept. */
export function compileCacheFolder(dataFolder: string): string {
  return path.join(dataFolder, 'compile-cache')
}

/** Makes the data folder with those above it. Throws a `StartConfigError` where it cannot be one, or not be written to. */
export function makeDataFolder(folder: string): void {
  try {
    const missing: string[] = []
    for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.unshift(at)
    // One by one: `recursive` never comes back from folders of the kernel's, such as those in /proc.
    for (const each of missing) makeFolder(each)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (isOfDisk(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new StartConfigError([
      `SYMBOLON_DATA_DIR is ${folder}: it must be a folder that can be created and written to (${code}).`,
    ])
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
