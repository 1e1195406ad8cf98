import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { spawnChild } from '../postgres/spawn-child.ts'
import type { LogFile } from './log-file.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const builder = path.join(repository, 'scripts/build.ts')

/** Where the builders (`scripts/build/`) put what a developer opens or imports. */
export const assetOutputs: Readonly<Record<string, string>> = {
  SDK: 'packages/sdk/dist',
  'wallet frame': 'packages/iframe/dist',
  portal: 'packages/portal/dist',
  demo: 'packages/dev/dist/demo',
  documentation: 'docs/.vitepress/dist',
}

/** What is not there yet, as after an install whose scripts did not run. What is there but stale can be used meanwhile. */
export function missingAssets(root = repository): string[] {
  return Object.keys(assetOutputs).filter((name) => !existsSync(path.join(root, assetOutputs[name] ?? '')))
}

/**
 * Builds missing or stale browser assets and programs, in a child process that ends with us and leaves the
 * processors to more urgent work. Until then, pages that need them answer 503. `report` gets the builds and failures, `onBuilt` the name of each
 * asset that was built.
 */
export function staleAssets({
  log,
  report,
  onBuilt,
}: {
  log: LogFile
  report: (line: string) => void
  onBuilt?: (name: string) => void
}): {
  stop(): Promise<void>
} {
  const child = spawnChild(process.execPath, [builder, '--in-background'], {
    detached: true,
    stdio: ['pipe', 'pipe', log.descriptor],
  })
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', resolve).once('error', () => resolve(null)),
  )
  const startedAt = performance.now()
  let isStopping = false
  let areAnyBuilt = false
  child.stdin?.on('error', () => {})
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(line)
      const [name, what, took] = line.split(/\s+/, 4).filter((word) => word !== 'in')
      if (what !== 'built') return
      areAnyBuilt = true
      report(`assets: ${name} built (${took} s)`)
      onBuilt?.(name ?? '')
    })
  void ended.then((code) => {
    if (isStopping) return
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    if (code !== 0) report(`assets: some could not be built, see ${log.path}`)
    else if (areAnyBuilt) report(`assets: all are built (${seconds} s)`)
  })
  return {
    async stop() {
      isStopping = true
      child.kill('SIGKILL')
      await ended
    },
  }
}
