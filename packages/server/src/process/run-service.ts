import cluster from 'node:cluster'
import { builtAssets, builtPlaces } from '../adapters/built-assets.ts'
import { builtDocs, docsFolder } from '../adapters/built-docs.ts'
import { builtPortal, portalFolder } from '../adapters/built-portal.ts'
import { builtTools, toolFiles } from '../adapters/built-tools.ts'
import { pinoLog } from '../adapters/log-pino.ts'
import { type Config, ConfigError } from '../config.ts'
import { checkStart } from './check-start.ts'
import { refuseOtherFrame } from './claim-frame-origin.ts'
import { misconfigured, refuse } from './refuse.ts'
import { runCluster, type WorkerDeath } from './run-cluster.ts'
import { startFailure } from './start-failure.ts'

/** Runs the service in production by settings that were read; a start that fails ends the process with a sentence. */
export async function runService(config: Config): Promise<void> {
  // It is a service: it outlives the terminal and whoever reads what it writes.
  process.on('SIGHUP', () => {})
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    // Before any worker starts: one that cannot would be started again and again.
    builtAssets(builtPlaces, 'fixed')
    builtPortal(portalFolder, 'fixed')
    builtTools(toolFiles, 'fixed')
    builtDocs(docsFolder, 'fixed')
    if (cluster.isPrimary) {
      await checkStart(config)
      await refuseOtherFrame(config).catch((error: unknown) => {
        if (error instanceof ConfigError) refuse(error.message, misconfigured)
        throw error
      })
    }
    await runCluster({
      workers: config.workers,
      metrics: config.metrics,
      // Loaded by the workers alone: the process that checks the start and forks them has no use for it.
      work: async () => (await import('./start-server.ts')).startServer(config),
      ...(cluster.isPrimary && tellingOf(config)),
    })
  } catch (error) {
    const failure = startFailure(error) ?? bugOf(config, error)
    // The pool and the listener that a worker has already would keep it alive.
    refuse(failure.message, cluster.isWorker && failure.isLasting ? misconfigured : 1)
  }
}

/** The log has its stack. */
function bugOf({ logLevel }: Config, error: unknown): { message: string; isLasting: boolean } {
  pinoLog(logLevel).error({ event: 'start failed', err: error }, 'the service cannot start')
  const name = error instanceof Error ? error.name : typeof error
  return {
    message: `The service cannot start (${name}): its log on standard output says why.`,
    isLasting: true,
  }
}

/** The primary's log lines about its start and its stop. Ends the start when no worker can serve. */
function tellingOf(config: Config): {
  onListening(): void
  onDeath(death: WorkerDeath): void
  onStopped(): void
} {
  const { logLevel, trustedProxies, attestation, frame, baseUrl } = config
  const log = pinoLog(logLevel)
  let isServing = false
  // Once one serves, another that cannot start must not end it.
  cluster.on('exit', (_worker, code) => {
    if (code === misconfigured && !isServing) process.exit(1)
  })
  return {
    onListening() {
      isServing = true
      if ('measurements' in attestation && attestation.measurements.length === 0)
        log.warn({ event: 'no enclave accepted' }, 'ENCLAVE_MEASUREMENTS is not set: no enclave is accepted')
      if (new URL(frame.origin).hostname === new URL(baseUrl).hostname)
        log.warn(
          { event: 'frame_shares_host' },
          'FRAME_BASE_URL is not on a host of its own: the wallet frame shares cookies, or its whole origin, with the portal',
        )
      if (trustedProxies.length === 0)
        log.warn(
          { event: 'trusted_proxies_unset' },
          'TRUSTED_PROXIES is not set: behind a proxy, every client has the address of the proxy, and X-Forwarded-For is ignored',
        )
    },
    onDeath: (death) =>
      log.warn(
        { event: 'worker_died', worker: death },
        'a process of the service died; another takes its place',
      ),
    onStopped: () => log.info({ event: 'stopped' }, 'the service has stopped'),
  }
}
