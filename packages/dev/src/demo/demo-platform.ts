import { type DevFile, readDevFile } from '../start/dev-file.ts'
import { httpCall } from '../start/http-call.ts'
import { startPlatform } from '../start/platform.ts'
import { startConfig } from '../start/start-config.ts'

/** The platform that the demo talks to; `stop` ends it only if the demo has started it. */
export type DemoPlatform = { file: DevFile; isOurs: boolean; stop(): Promise<void> }

/** The platform that runs on the data folder, or a freshly started one. */
export async function demoPlatform(environment: NodeJS.ProcessEnv): Promise<DemoPlatform> {
  const config = startConfig(environment)
  const former = readDevFile(config.dataFolder)
  if (former && (await isReady(former.base_url))) return { file: former, isOurs: false, stop: async () => {} }
  const platform = startPlatform(config, (line) => console.error(line))
  try {
    return { file: await platform.ready, isOurs: true, stop: () => platform.stop() }
  } catch (error) {
    await platform.stop()
    throw error
  }
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await httpCall(`${baseUrl}/v1/ready`)).status === 200
  } catch {
    return false
  }
}
