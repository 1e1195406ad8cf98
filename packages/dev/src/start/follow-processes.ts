import { readFileSync } from 'node:fs'
import { isAlive } from '../postgres/postmaster-pid.ts'

/** What a process of the platform does. Each local chain has a bundler; one process runs the nodes of all of them. */
export type ProcessRole = 'api' | 'enclave' | 'database' | 'chain' | 'bundler'

/** A process of the running platform, as `dev.json` lists it. */
export type ListedProcess = { role: ProcessRole; pid: number }

/** A part of the platform that runs in a process: its id now, undefined while there is none. */
export type Followed = { role: ProcessRole; pid: () => number | undefined }

const lookMs = 250

/** The processes that are alive now, in the order of their parts. */
export function listProcesses(parts: readonly Followed[]): ListedProcess[] {
  return parts.flatMap(({ role, pid: read }) => {
    const pid = read()
    return pid !== undefined && isAlive(pid) ? [{ role, pid }] : []
  })
}

/** Calls `onChange` with the whole list whenever a part got another process, within 250 ms. Returns what ends that. */
export function followProcesses(
  parts: readonly Followed[],
  onChange: (list: ListedProcess[]) => void,
): () => void {
  let last = JSON.stringify(listProcesses(parts))
  const timer = setInterval(() => {
    const list = listProcesses(parts)
    const text = JSON.stringify(list)
    if (text === last) return
    last = text
    onChange(list)
  }, lookMs).unref()
  return () => clearInterval(timer)
}

/** Reads a process id that another process wrote into a file; undefined where it has not. */
export function pidInFile(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}
