import { type DevFile, readDevFile } from './dev-file.ts'
import { httpCall, untilServed } from './http-call.ts'

const chainWithinMs = 60_000

/** What `dev.json` of a data folder says, if the platform answers at its address. Its chain may still be coming up. */
export async function runningPlatform(dataFolder: string): Promise<DevFile | undefined> {
  const file = readDevFile(dataFolder)
  if (file === undefined) return undefined
  try {
    return (await httpCall(`${file.base_url}/v1/health`)).status === 200 ? file : undefined
  } catch {
    return undefined
  }
}

/** Resolves once all of the platform is there, its local chain too unless it is off; rejects after a minute. */
export function untilReady(file: DevFile): Promise<void> {
  return untilServed(`${file.base_url}/v1/ready`, { withinMs: chainWithinMs, everyMs: 100 })
}
