import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessTable } from '../ports/process-table.ts'

/**
 * The process table of the operating system: Linux's `/proc`, where a boot and a process namespace name the host, and elsewhere what
 * signal 0 says. `pid`: whose entry is its own, this process's if absent.
 */
export function processTableOs(pid: number = process.pid): ProcessTable {
  const own = statOf(pid)
  if (own === undefined) {
    const isAlive = (other: { pid: number }) => answersSignals(other.pid)
    return { host: hostname(), pid, started: '', isAlive }
  }
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return {
    host: `${boot} ${readlinkSync('/proc/self/ns/pid')}`,
    pid,
    started: own.started,
    isAlive(other) {
      const stat = statOf(other.pid)
      return stat !== undefined && stat.started === other.started && stat.state !== 'Z' && stat.state !== 'X'
    },
  }
}

/** State and start time of a process (proc_pid_stat(5): fields 3 and 22, behind the name in parentheses). */
function statOf(pid: number): { state: string; started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
