import { runCluster } from '../process/run-cluster.ts'

/** A program: a cluster whose processes all end before one serves. */
await runCluster({
  workers: 2,
  metrics: { host: '127.0.0.1', port: 0 },
  onDeath: ({ code, signal }) => process.stdout.write(`died: ${code} ${signal}\n`),
  work: async () => process.exit(3),
})
