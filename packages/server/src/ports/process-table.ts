/** A process as its host knows it: `started` tells it from a later one with the same id. */
export type HostProcess = { pid: number; started: string }

/** This process, and the process table of its host. `host` is the same for processes that see each other in it. */
export type ProcessTable = HostProcess & {
  readonly host: string
  /** Whether a process of this host still runs; a zombie does not. */
  isAlive(process: HostProcess): boolean
}
