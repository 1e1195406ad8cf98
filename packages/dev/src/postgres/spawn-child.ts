import { ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/**
 * As `spawn`, but it never throws: a child that cannot be started for want of memory, or with such arguments, emits `error` like one whose
 * program is missing.
 */
export function spawnChild(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(file, args, options)
  } catch (error) {
    const child = Object.assign(new ChildProcess(), { stdin: null, stdout: null, stderr: null })
    process.nextTick(() => child.emit('error', error))
    return child
  }
}
