import cluster from 'node:cluster'
import { MetricsPortError, runCluster } from '@symbolon/server/run-cluster'
import { withDatabase } from './start/late-database.ts'

/** EX_CONFIG of sysexits: another try would end the same way until a setting is changed. */
const misconfigured = 78
/** EX_UNAVAILABLE: so would it until what the settings name is mended. */
const unusable = 69

/** The API of the development platform: one process per core. It ends when the process at the other end of its input does. */
if (cluster.isPrimary) {
  const end = () => process.kill(process.pid, 'SIGTERM')
  process.stdin.on('end', end).on('error', end).resume()
  cluster.on('exit', (_worker, code) => {
    if (code === misconfigured || code === unusable) process.exit(code)
  })
}

const workers = Number(process.env['WORKERS'])
try {
  await runCluster({
    workers: Number.isInteger(workers) && workers > 0 ? workers : undefined,
    metrics: {
      host: process.env['METRICS_HOST'] || '127.0.0.1',
      port: Number(process.env['METRICS_PORT'] || 9464),
      answeredHosts: [process.env['METRICS_HOST'] || '127.0.0.1'],
    },
    onDeath: (worker) => {
      const line = {
        level: 40,
        time: Date.now(),
        pid: process.pid,
        component: 'api',
        event: 'worker_died',
        worker,
        msg: 'a process of the service died; another takes its place',
      }
      process.stdout.write(`${JSON.stringify(line)}\n`)
    },
    work: async () => {
      // Loaded by the workers alone: the process that only forks them has no use for it.
      const { ConfigError, LostKeysError, SchemaError, startDevServer } = await import('./dev-server.ts')
      try {
        return await startDevServer(await withDatabase(process.env))
      } catch (error) {
        if (!(error instanceof ConfigError || error instanceof SchemaError)) throw error
        process.stderr.write(`${error.message}\n`)
        process.exit(
          error instanceof SchemaError || error instanceof LostKeysError ? unusable : misconfigured,
        )
      }
    },
  })
} catch (error) {
  if (!(error instanceof MetricsPortError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(unusable)
}
