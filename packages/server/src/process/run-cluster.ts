import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { relayBeats } from './beat-turns.ts'
import { bootsOfWorkers } from './enclave-boots.ts'
import { relayHostLines } from './host-lines.ts'
import { metricsOfWorkers } from './metrics-exchange.ts'
import { type MetricsAddress, serveMetrics } from './metrics-server.ts'
import { relayDeaths } from './process-deaths.ts'

const restartPauseMs = 200
const restartPauseMaxMs = 5_000
const failedStartsMax = 3
const stopTimeMs = 12_000
/**
 * V8 sizes its heap by the machine and collects late on a large one: unbounded, a process takes twice the memory. The bound on the old
 * generation, which also says how far it grows before it is marked again, leaves room for a burst of the largest bodies. With it, a young
 * generation of 8 MB and two helpers instead of four, a process takes 10 MB less than with 512, 16 and four, at the same CPU per signature;
 * with 2,048 MB it would take a tenth to a sixth less CPU and 100 MB more.
 */
const workerNodeArguments = [
  '--disable-sigusr1',
  '--max-semi-space-size=8',
  '--max-old-space-size=1024',
  '--v8-pool-size=2',
]
/**
 * glibc gives each thread that allocates (collector, compiler, pool) an arena of its own, and little of it back: some 15 MB more after
 * 100,000 signatures than with one arena, at the same CPU time.
 */
const workerEnvironment = { MALLOC_ARENA_MAX: '1' }

export { MetricsPortError } from './metrics-server.ts'

/** A process of the cluster that ended without being asked to: its exit code, or the signal that ended it. */
export type WorkerDeath = { pid: number | undefined; code: number | null; signal: string | null }

/**
 * Runs `work` in one process per core (or `workers` processes) and restarts those that die, until this process gets a signal to stop. Ends
 * with 1 where three die before any serves.
 * `work` returns the function that ends its process cleanly. The metrics of all are served at `metrics`. `onListening` is called once, when the
 * first process serves; `onDeath` when one dies, before another takes its place; `onStopped` once all have ended.
 */
export async function runCluster(options: {
  workers: number | undefined
  metrics: MetricsAddress
  work: () => Promise<{ stop(): Promise<void> }>
  onListening?: () => void
  onDeath?: (death: WorkerDeath) => void
  onStopped?: () => void
}): Promise<void> {
  if (cluster.isPrimary) return startPrimary(options)
  const running = await options.work()
  const stop = once(async () => {
    await running.stop()
    process.exit(0)
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The primary is gone: nobody else would stop this worker.
  process.on('disconnect', stop)
}

async function startPrimary(options: Parameters<typeof runCluster>[0]): Promise<void> {
  // Before any worker starts: a port that is taken ends the start.
  const ofWorkers = metricsOfWorkers()
  const boots = bootsOfWorkers()
  const metrics = await serveMetrics(options.metrics, async () => [...(await ofWorkers()), boots.text()])
  primary(options.workers ?? availableParallelism(), {
    ...options,
    onStopped() {
      metrics.close()
      options.onStopped?.()
    },
  })
}

function primary(
  workers: number,
  {
    onListening,
    onDeath,
    onStopped,
  }: Pick<Parameters<typeof runCluster>[0], 'onListening' | 'onDeath' | 'onStopped'>,
) {
  let isStopping = false
  let hasServed = false
  relayDeaths()
  relayBeats()
  relayHostLines((line) => void process.stdout.write(`${line}\n`))
  // The workers accept by themselves: a connection that the primary hands to one that dies first would stay open for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...workerNodeArguments] })
  const start = () => {
    if (isStopping) return
    // Also a broken channel to a worker that is just being killed: its `exit` follows. One that could not be made has none.
    const worker = cluster.fork(workerEnvironment).on('error', () => {
      if (worker.process.pid === undefined) setTimeout(start, restartPauseMs)
    })
  }
  const serving = new Set<number>()
  let failedStarts = 0
  cluster.on('listening', ({ id }: Worker) => {
    serving.add(id)
    failedStarts = 0
  })
  cluster.on('exit', (worker: Worker, code: number | null, signal: string | null) => {
    if (isStopping || worker.exitedAfterDisconnect) return
    const hasWorked = serving.delete(worker.id)
    if (!hasWorked) failedStarts += 1
    // Of starts that fail one after the other, as while the database is away, only the first is news.
    if (hasWorked || failedStarts === 1) onDeath?.({ pid: worker.process.pid, code, signal })
    if (!hasServed && failedStarts >= failedStartsMax) return failStart()
    setTimeout(start, Math.min(restartPauseMs * 2 ** Math.max(0, failedStarts - 1), restartPauseMaxMs))
  })
  if (onListening !== undefined) cluster.once('listening', onListening)
  // One first: on few cores, several that load at once would all serve later.
  start()
  cluster.once('listening', () => {
    hasServed = true
    for (let i = 1; i < workers; i++) start()
  })
  stopOnSignals(() => {
    isStopping = true
  }, onStopped)
}

/** Ends all processes, then this one, at a signal to stop. */
function stopOnSignals(onStopping: () => void, onStopped: (() => void) | undefined): void {
  const stop = once(async () => {
    onStopping()
    const alive = Object.values(cluster.workers ?? {})
      .filter((worker) => worker !== undefined)
      .filter(({ process: { pid } }) => pid !== undefined)
    const ended = alive.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())))
    for (const worker of alive) worker.process.kill('SIGTERM')
    const timer = setTimeout(() => {
      for (const worker of alive) worker.process.kill('SIGKILL')
    }, stopTimeMs)
    await Promise.all(ended)
    clearTimeout(timer)
    onStopped?.()
    process.exit(0)
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Another try would end the same way; what a process wrote when it ended says why. */
function failStart(): never {
  process.stderr.write(
    `symbolon: The service does not start: ${failedStartsMax} of its processes ended before one served.\n`,
  )
  process.exit(1)
}

function once(run: () => Promise<void>): () => void {
  let isCalled = false
  return () => {
    if (isCalled) return
    isCalled = true
    run().catch(() => process.exit(1))
  }
}
