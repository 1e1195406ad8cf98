import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Process ids of a program (by the name of its file) that was started with this argument. Linux. */
export function findProcesses(program: string, argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [name = '', ...args] = argumentsOf(pid)
      return path.basename(name) === program && args.includes(argument)
    })
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
