import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { runCluster } from '../process/run-cluster.ts'

/** A program: a cluster that cannot start a process at first, and whose channel to the one that serves then breaks. */
const { execPath } = process
if (cluster.isPrimary) {
  process.execPath = '/nonexistent'
  setTimeout(() => {
    process.execPath = execPath
  }, 300)
}

await runCluster({
  workers: 1,
  metrics: { host: '127.0.0.1', port: 0 },
  work: async () => {
    createServer().listen(0)
    return { stop: async () => {} }
  },
  onListening: () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.emit('error', new Error('EPIPE'))
    process.stdout.write('A worker serves.\n')
    process.exit(0)
  },
})
