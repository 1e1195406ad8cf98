import cluster from 'node:cluster'
import { AssetError, builtAssets, builtPlaces } from './adapters/built-assets.ts'
import { builtDocs, docsFolder } from './adapters/built-docs.ts'
import { builtPortal, portalFolder } from './adapters/built-portal.ts'
import { builtTools, toolFiles } from './adapters/built-tools.ts'
import { ConfigError, readConfig } from './config.ts'
import { PoolerError, refusePooler } from './db/pooler.ts'
import { refuseNewKeys } from './process/refuse-new-keys.ts'
import { runCluster } from './process/run-cluster.ts'
import { startFailure } from './process/start-failure.ts'
import { startServer } from './process/start-server.ts'

/** EX_CONFIG of sysexits: another try would end the same way. */
const misconfigured = 78

/** The service in production: everything comes from the environment, and what only development has is refused. */
try {
  const config = readConfig(process.env, 'production')
  // Before any worker starts: one that cannot would be started again and again.
  builtAssets(builtPlaces, 'fixed')
  builtPortal(portalFolder, 'fixed')
  builtTools(toolFiles, 'fixed')
  builtDocs(docsFolder, 'fixed')
  if (cluster.isPrimary) {
    await refusePooler(config.databaseUrl)
    await refuseNewKeys(config)
    let isServing = false
    cluster.once('listening', () => {
      isServing = true
    })
    // Once one serves, another that cannot start must not end it.
    cluster.on('exit', (_worker, code) => {
      if (code === misconfigured && !isServing) process.exit(1)
    })
  }
  await runCluster({ workers: config.workers, work: () => startServer(config) })
} catch (error) {
  const isOwn = error instanceof ConfigError || error instanceof AssetError || error instanceof PoolerError
  const failure = isOwn ? { message: error.message, isLasting: true } : startFailure(error)
  if (failure === undefined) throw error
  process.stderr.write(`${failure.message}\n`)
  // The pool and the listener that a worker has already would keep it alive.
  process.exit(cluster.isWorker && failure.isLasting ? misconfigured : 1)
}
