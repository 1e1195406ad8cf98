import { ConfigError, readConfig } from './config.ts'
import { runCluster } from './run-cluster.ts'
import { startServer } from './start-server.ts'

/** The service in production: everything comes from the environment, and what only development has is refused. */
try {
  const config = readConfig(process.env, 'production')
  await runCluster({ workers: config.workers, work: () => startServer(config) })
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
