import { spawnSync } from 'node:child_process'
import { ImageError } from './image-error.ts'

/** What every tool of the build runs with: nothing of this machine's language, time zone, or paths. */
export const toolEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  HOME: '/',
  SOURCE_DATE_EPOCH: '0',
}

/** Where a tool runs, and what its environment has beyond `toolEnvironment`. */
export type ToolPlace = { cwd: string; environment?: Readonly<Record<string, string>> }

/** Runs a tool to its end and returns what it wrote. Throws `ImageError` with its last words where it fails or is not there. */
export function runTool(file: string, args: readonly string[], { cwd, environment }: ToolPlace): string {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    cwd,
    env: { ...toolEnvironment, ...environment },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (error !== undefined) throw new ImageError(`${file} cannot be run: ${error.message}.`)
  if (status === 0) return stdout
  const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n')
  throw new ImageError(`${file} failed:\n${last}`)
}
