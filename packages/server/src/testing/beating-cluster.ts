import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterBeatTurns, relayBeats } from '../process/beat-turns.ts'
import { listenForDeaths } from '../process/process-deaths.ts'

/** What a worker tells the primary: that it has heard a beat, with the processes that were beaten for, or that it is its turn. */
type Told = { kind: 'told'; what: 'heard' | 'turn'; of: readonly string[] }

/** A program: three workers, of which the oldest one beats and is then killed. Prints who heard it and whose turn is next. */
async function primary(): Promise<void> {
  relayBeats()
  const told = new Map<string, string>()
  cluster.on('message', ({ id }, message: Told) => {
    if (message.kind === 'told') told.set(`${id} ${message.what}`, [...message.of].sort().join(' '))
  })
  for (let id = 1; id <= 3; id++) await once(cluster.fork({ PROCESS_ID: `process-${id}` }), 'message')
  const until = async (key: string, of: string) => {
    while (told.get(key) !== of) await sleep(10)
    process.stdout.write(`${key}: ${of}\n`)
  }
  await until('2 heard', 'process-1 process-2 process-3')
  await until('3 heard', 'process-1 process-2 process-3')
  process.stdout.write(`the leader hears itself: ${told.has('1 heard')}\n`)
  cluster.workers?.[1]?.process.kill('SIGKILL')
  await until('2 turn', 'process-3')
  await until('3 heard', 'process-2 process-3')
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
}

function worker(processId: string): void {
  const turns = clusterBeatTurns()
  const tell = (what: Told['what'], of: readonly string[]) => process.send?.({ kind: 'told', what, of })
  turns?.listen(
    ({ beaten }) => tell('heard', beaten),
    () => tell('turn', turns.siblings() ?? []),
  )
  listenForDeaths(processId, () => {})
  setInterval(() => {
    const siblings = turns?.siblings()
    // Until all three are there, nobody beats for all.
    if (siblings?.length) turns?.announce({ beaten: [processId, ...siblings], due: [] })
  }, 20)
}

if (cluster.isPrimary) await primary()
else worker(String(process.env['PROCESS_ID']))
