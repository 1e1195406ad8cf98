import cluster, { type Worker } from 'node:cluster'
import { sendToPrimary } from './worker-messages.ts'

type Message = { kind: 'enclave boot'; key: string }

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'enclave boot' &&
  'key' in value &&
  typeof value.key === 'string'

/** How many boots are remembered: a worker may report one several restarts late. */
const rememberedMax = 1_024
const name = 'symbolon_enclave_restarts_total'

/** Counts the boots of the enclave, and has the count as a Prometheus exposition. */
export type EnclaveBoots = {
  /** Takes the channel key of an attested enclave: each boot makes another one. */
  seen(key: string): void
  text(): string
}

/** Counts each boot once, however many processes have met it. The first one is a start, the following ones are restarts. */
export function enclaveBoots(): EnclaveBoots {
  const known = new Set<string>()
  let restarts = 0
  return {
    seen(key) {
      if (known.has(key)) return
      if (known.size > 0) restarts += 1
      known.add(key)
      const [oldest] = known
      if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest)
    },
    text: () =>
      `# HELP ${name} Restarts of the enclave that this host has met: attested boots after the first one.\n# TYPE ${name} counter\n${name} ${restarts}\n`,
  }
}

/** The primary's part: the boots that all workers report. */
export function bootsOfWorkers(): EnclaveBoots {
  const boots = enclaveBoots()
  cluster.on('message', (_worker: Worker, message: unknown) => {
    if (isMessage(message)) boots.seen(message.key)
  })
  return boots
}

/** A worker's part: reports that it has met an attested enclave with this channel key. */
export function reportBoot(publicKey: Uint8Array): void {
  const key = Buffer.from(publicKey).toString('base64url')
  if (cluster.isWorker) sendToPrimary({ kind: 'enclave boot', key } satisfies Message)
}
