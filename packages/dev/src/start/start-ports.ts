import { freePort, isFree } from '../postgres/free-port.ts'
import type { DevFile } from './dev-file.ts'
import { isLoopbackName, type StartConfig } from './start-config.ts'

/** The ports of the platform beside `PORT`. */
export type StartPorts = { metrics: number; frame: number | undefined }

const metricsUsually = 9464

/**
 * The ports that the settings name, and for the rest those of the former start (`former`) as long as nobody else has taken them: the frame
 * keeps device shares under its port. Metrics are at their usual port only where the platform is at its own: several platforms would meet
 * there. Throws where a named port is taken.
 */
export async function startPorts(
  config: Pick<StartConfig, 'host' | 'port' | 'metrics' | 'baseUrl' | 'frameBaseUrl'>,
  former: Partial<DevFile> | undefined,
): Promise<StartPorts> {
  const { port, metrics } = config
  if (metrics.port !== undefined) await requireFree('METRICS_PORT', metrics.port, metrics.host)
  const wanted = [portIn(former?.metrics_url), port === 8080 ? metricsUsually : undefined]
  const metricsPort = metrics.port ?? (await firstFree(wanted, [port]))
  return { metrics: metricsPort, frame: await framePort(config, [port, metricsPort], former) }
}

/** Undefined where the frame's requests come in at the platform's own port, told by their host name. */
async function framePort(
  { host, port, baseUrl, frameBaseUrl }: Parameters<typeof startPorts>[0],
  taken: readonly number[],
  former: Partial<DevFile> | undefined,
): Promise<number | undefined> {
  if (frameBaseUrl === undefined) return firstFree([portIn(former?.frame_url)], taken)
  const { protocol, hostname, port: named } = new URL(frameBaseUrl)
  const isHere = isLoopbackName(hostname) || hostname === new URL(baseUrl).hostname
  if (protocol !== 'http:' || named === '' || !isHere || Number(named) === port) return undefined
  await requireFree('FRAME_BASE_URL', Number(named), host)
  return Number(named)
}

async function requireFree(name: string, port: number, host: string): Promise<void> {
  if (await isFree(port, host)) return
  throw new Error(
    `${name} names port ${port}, which is in use: stop the program that listens there, or set another port`,
  )
}

async function firstFree(wanted: readonly (number | undefined)[], taken: readonly number[]): Promise<number> {
  for (const port of wanted)
    if (port !== undefined && !taken.includes(port) && (await isFree(port))) return port
  for (;;) {
    const port = await freePort()
    if (!taken.includes(port)) return port
  }
}

function portIn(url: string | undefined): number | undefined {
  const port = Number(URL.parse(url ?? '')?.port || Number.NaN)
  return Number.isNaN(port) ? undefined : port
}
