import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCacheFolder } from './data-folder.ts'
import type { Followed } from './follow-processes.ts'
import { type LogFile, logFile } from './log-file.ts'
import type { StartConfig } from './start-config.ts'

/** The shared state of a platform's parts while they start. */
export type Startup = {
  config: StartConfig
  /** Prints a line for the developer. */
  report: (line: string) => void
  baseUrl: string
  /** What every program of the platform gets from us. */
  environment: Record<string, string>
  /** The parts to stop, in the order of their start: later parts need the earlier ones until they end. */
  stops: (() => Promise<void> | void)[]
  /** The processes of the parts that have begun to start. */
  processes: Followed[]
  isStopping: boolean
}

/** How long a part may take to come up, in milliseconds. */
export const readyWithinMs = 30_000

/** A platform of which nothing has started. */
export function newStartup(config: StartConfig, report: (line: string) => void): Startup {
  const { dataFolder, baseUrl } = config
  return {
    config,
    report,
    baseUrl,
    environment: { NODE_COMPILE_CACHE: compileCacheFolder(dataFolder) },
    stops: [],
    processes: [],
    isStopping: false,
  }
}

/** A folder below the data folder that only its owner reads, made where it is missing. */
export function privateFolder({ config }: Startup, name: string): string {
  const folder = path.join(config.dataFolder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The log of a part, in the data folder. */
export function logOf({ config }: Startup, part: string): LogFile {
  return logFile(path.join(config.dataFolder, 'logs'), part)
}

/** Rejects once the platform is being stopped. */
export async function stopped(startup: Startup): Promise<never> {
  while (!startup.isStopping) await sleep(50)
  throw new Error('stopped while starting')
}
