import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, linkSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { KeyFileError } from './key-file-error.ts'

// A holder needs milliseconds; one that shows this age was killed.
const staleMs = 10_000
const attemptsMax = 200
const pauseMs = 5

/**
 * Runs `change` while no other process runs one for the same path, by an exclusively created `<path>.lock`. Waits up
 * to one second, then throws `KeyFileError('locked')`. The lock of a killed process is broken 10 s after it was
 * taken, by the file system's own clock.
 */
export function withKeyFileLock<result>(path: string, change: () => result): result {
  const lock = `${path}.lock`
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const held = acquire(lock)
    if (held !== undefined) {
      try {
        return change()
      } finally {
        if (statSync(lock, { bigint: true, throwIfNoEntry: false })?.ino === held) unlinkSync(lock)
      }
    }
    breakStale(lock)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  throw new KeyFileError('locked', path)
}

const acquire = (lock: string): bigint | undefined => {
  try {
    const descriptor = openSync(lock, 'wx', 0o600)
    const { ino } = fstatSync(descriptor, { bigint: true })
    closeSync(descriptor)
    return ino
  } catch (error) {
    if (isCode(error, 'EEXIST')) return undefined
    throw error
  }
}

const breakStale = (lock: string): void => {
  const held = statSync(lock, { bigint: true, throwIfNoEntry: false })
  if (held === undefined || Number(clockOf(lock) - held.mtimeNs) < staleMs * 1e6) return
  // The rename lets one breaker win; it may meanwhile have caught the lock of a live successor, which goes back.
  const caught = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, caught)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  const found = statSync(caught, { bigint: true })
  if (found.ino !== held.ino || found.mtimeNs !== held.mtimeNs) linkSync(caught, lock)
  unlinkSync(caught)
}

const clockOf = (lock: string): bigint => {
  const probe = `${lock}.${randomUUID()}`
  closeSync(openSync(probe, 'wx', 0o600))
  const { mtimeNs } = statSync(probe, { bigint: true })
  unlinkSync(probe)
  return mtimeNs
}

/** Says whether a caught value is the system error of this code. */
export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
