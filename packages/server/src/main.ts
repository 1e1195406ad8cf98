import cluster from 'node:cluster'
import { AssetError, builtAssets, builtPlaces } from './adapters/built-assets.ts'
import { builtDocs, docsFolder } from './adapters/built-docs.ts'
import { builtPortal, portalFolder } from './adapters/built-portal.ts'
import { builtTools, toolFiles } from './adapters/built-tools.ts'
import { ConfigError, readConfig } from './config.ts'
import { PoolerError, refusePooler } from './db/pooler.ts'
import { runCluster } from './process/run-cluster.ts'
import { startServer } from './process/start-server.ts'

/** The service in production: everything comes from the environment, and what only development has is refused. */
try {
  const config = readConfig(process.env, 'production')
  // Before any worker starts: one that cannot would be started again and again.
  builtAssets(builtPlaces, 'fixed')
  builtPortal(portalFolder, 'fixed')
  builtTools(toolFiles, 'fixed')
  builtDocs(docsFolder, 'fixed')
  if (cluster.isPrimary) await refusePooler(config.databaseUrl)
  await runCluster({ workers: config.workers, work: () => startServer(config) })
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof AssetError || error instanceof PoolerError))
    throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
