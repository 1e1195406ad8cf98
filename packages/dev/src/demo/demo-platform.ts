import type { DevFile } from '../start/dev-file.ts'
import { startPlatform } from '../start/platform.ts'
import { runningPlatform, untilReady } from '../start/running-platform.ts'
import { startConfig } from '../start/start-config.ts'

/**
 * The platform that the demo talks to, its signatures served. `untilChain` resolves once its local chain is there too, at
 * once where it is off; `stop` ends the platform only if the demo has started it, and only then is there `killApi` (`kill -9` of
 * all API processes, which are started again).
 */
export type DemoPlatform = {
  file: DevFile
  isOurs: boolean
  untilChain(): Promise<void>
  killApi?: () => void
  stop(): Promise<void>
}

/** The platform that runs on the data folder, or a freshly started one. */
export async function demoPlatform(environment: NodeJS.ProcessEnv): Promise<DemoPlatform> {
  const config = startConfig(environment)
  const running = await runningPlatform(config.dataFolder)
  if (running !== undefined)
    return { file: running, isOurs: false, untilChain: () => untilReady(running), stop: async () => {} }
  const platform = startPlatform(config, (line) => console.error(line))
  try {
    const file = await platform.ready
    return {
      file,
      isOurs: true,
      untilChain: () => untilReady(file),
      killApi: () => platform.killApi(),
      stop: () => platform.stop(),
    }
  } catch (error) {
    await platform.stop()
    throw error
  }
}
