import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { spawnChild } from '../postgres/spawn-child.ts'
import type { LogFile } from './log-file.ts'

const builder = fileURLToPath(new URL('../../../../scripts/build.ts', import.meta.url))

/**
 * Builds missing or stale browser assets and programs, in a child process that ends with us and leaves the
 * processors to more urgent work. Until then, pages that need them answer 503. `report` gets the builds and failures.
 */
export function staleAssets({ log, report }: { log: LogFile; report: (line: string) => void }): {
  stop(): Promise<void>
} {
  const child = spawnChild(process.execPath, [builder, '--in-background'], {
    detached: true,
    stdio: ['pipe', 'pipe', log.descriptor],
  })
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', resolve).once('error', () => resolve(null)),
  )
  let isStopping = false
  child.stdin?.on('error', () => {})
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(line)
      const [name, what, took] = line.split(/\s+/, 4).filter((word) => word !== 'in')
      if (what === 'built') report(`assets: ${name} built (${took} s)`)
    })
  void ended.then((code) => {
    if (code !== 0 && !isStopping) report(`assets: some could not be built, see ${log.path}`)
  })
  return {
    async stop() {
      isStopping = true
      child.kill('SIGKILL')
      await ended
    },
  }
}
