import { type DevFile, readDevFile } from '../start/dev-file.ts'
import { httpCall, untilServed } from '../start/http-call.ts'
import { startPlatform } from '../start/platform.ts'
import { startConfig } from '../start/start-config.ts'

const chainWithinMs = 60_000

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
  const former = readDevFile(config.dataFolder)
  if (former && (await isServed(former.base_url)))
    return { file: former, isOurs: false, untilChain: () => untilReady(former), stop: async () => {} }
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

/** A platform answers here while its chain is still coming up. */
async function isServed(baseUrl: string): Promise<boolean> {
  try {
    return (await httpCall(`${baseUrl}/v1/health`)).status === 200
  } catch {
    return false
  }
}

function untilReady(file: DevFile): Promise<void> {
  return untilServed(`${file.base_url}/v1/ready`, { withinMs: chainWithinMs, everyMs: 100 })
}
