import { devFilePath } from './dev-file.ts'
import { endWithLauncher } from './end-with-launcher.ts'
import { type Platform, startPlatform } from './platform.ts'
import { readyTable } from './ready-table.ts'
import { missingAssets } from './stale-assets.ts'
import type { StartConfig } from './start-config.ts'
import { exitCode, startFault } from './start-fault.ts'

/**
 * Starts the platform, prints its table and keeps it until a signal or the launcher's end, when it says that everything has stopped; a failure exits with 1, one of the settings with 78. `patience`
 * ends with the first of these.
 */
export async function runStart(
  config: StartConfig,
  environment: NodeJS.ProcessEnv,
  patience: { end(): void },
): Promise<void> {
  const startedAt = performance.now()
  let platform: Platform | undefined
  let isStopping = false

  // Ctrl-C arrives twice, from the terminal and from the launcher: it means the same.
  const stop = () => {
    if (isStopping) return
    isStopping = true
    patience.end()
    void end(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  endWithLauncher(environment, stop)

  try {
    platform = startPlatform(config, (line) => console.error(line))
    const file = await platform.ready
    patience.end()
    const seconds = (performance.now() - startedAt) / 1000
    const devFile = devFilePath(platform.dataFolder)
    if (!isStopping) console.log(readyTable(file, { devFile, seconds, missing: missingAssets() }))
    const hasChain = await platform.chain
    if (hasChain && !isStopping)
      console.log(`local chain: ready (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  } catch (error) {
    patience.end()
    if (isStopping) return
    isStopping = true
    console.error(startFault(error, config.dataFolder))
    await end(exitCode(error))
  }

  async function end(code: number): Promise<void> {
    try {
      await platform?.stop()
      if (code === 0) console.log('Stopped.')
    } catch (error) {
      console.error(startFault(error, config.dataFolder))
      code = 1
    }
    process.exit(code)
  }
}
