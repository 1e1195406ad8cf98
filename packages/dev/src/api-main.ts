import { runCluster } from '@symbolon/server/run-cluster'

/** The API of the development platform: one process per core. It ends with whoever holds the far end of its input. */
if (process.env['NODE_UNIQUE_ID'] === undefined) {
  const end = () => process.kill(process.pid, 'SIGTERM')
  process.stdin.on('end', end).on('error', end).resume()
}

const workers = Number(process.env['WORKERS'])
await runCluster({
  workers: Number.isInteger(workers) && workers > 0 ? workers : undefined,
  // Loaded by the workers alone: the process that only forks them has no use for it.
  work: async () => (await import('./dev-server.ts')).startDevServer(process.env),
})
