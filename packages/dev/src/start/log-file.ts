import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'

/** A log of one part of the platform, kept for this run and the one before. */
export type LogFile = {
  path: string
  /** For a child's standard output and error. */
  descriptor: number
  write(line: string): void
  /** The last lines. */
  tail(): string
  close(): void
}

const tailLines = 15

/** Opens `<folder>/<name>.log` (mode 0600) anew and keeps the former run's as `<name>.1.log`. */
export function logFile(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, `${name}.log`)
  try {
    renameSync(file, path.join(folder, `${name}.1.log`))
  } catch {
    // The first run has no former one.
  }
  const descriptor = openSync(file, 'a', 0o600)
  return {
    path: file,
    descriptor,
    write: (line) => {
      try {
        writeSync(descriptor, `${line}\n`)
      } catch {
        // A full disk ends what needs it, not what only reports.
      }
    },
    tail: () => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-tailLines).join('\n'),
    close: () => closeSync(descriptor),
  }
}
