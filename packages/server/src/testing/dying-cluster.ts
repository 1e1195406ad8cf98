import cluster from 'node:cluster'
import { listenForDeaths, relayDeaths } from '../process/process-deaths.ts'

const workers = 8
const rounds = Number(process.argv[2])

/** A program, `<rounds>`: a cluster whose workers all die at once, round after round, so that deaths are reported to workers that are dying. */
function primary(): void {
  let [serving, gone, round] = [0, 0, 0]
  const start = () => {
    for (let i = 0; i < workers; i++) cluster.fork()
  }
  relayDeaths()
  cluster.on('message', () => {
    if (++serving % workers !== 0) return
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  })
  cluster.on('exit', () => {
    if (++gone % workers !== 0) return
    if (++round === rounds) process.stdout.write('The primary is alive.\n')
    else start()
  })
  start()
}

if (cluster.isPrimary) primary()
else listenForDeaths(String(process.pid), () => {})
