import { freePort, isFree } from '../postgres/free-port.ts'
import type { DevFile } from './dev-file.ts'
import type { StartConfig } from './start-config.ts'

/** The ports of the platform beside `PORT`. */
export type StartPorts = { metrics: number }

const metricsUsually = 9464

/**
 * The ports that the settings name, and for the rest those of the former start (`former`) as long as nobody else has taken them. Metrics
 * are at their usual port only where the platform is at its own: several platforms would meet there. Throws where a named port is taken.
 */
export async function startPorts(
  { port, metrics }: Pick<StartConfig, 'port' | 'metrics'>,
  former: Partial<DevFile> | undefined,
): Promise<StartPorts> {
  if (metrics.port !== undefined && !(await isFree(metrics.port, metrics.host)))
    throw new Error(
      `METRICS_PORT is ${metrics.port}, which is in use: stop the program that listens there, or set another port`,
    )
  const wanted = [portIn(former?.metrics_url), port === 8080 ? metricsUsually : undefined]
  return { metrics: metrics.port ?? (await firstFree(wanted, [port])) }
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
