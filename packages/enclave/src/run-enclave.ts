import { type Networks, networks as production } from '@symbolon/networks'
import { lineLog } from './enclave-log.ts'
import { exitWithParent } from './process-guard.ts'
import { type EnclaveInput, startEnclave } from './start-enclave.ts'
import { readyLine } from './supervisor.ts'

/**
 * The life of the simulated enclave, as a child of a start: it ends with its parent, logs to standard error, says on standard output that it
 * serves, and exits with 1 when it cannot start. It waits for a key ring as long as there is none. It signs for the networks of production
 * unless configured otherwise.
 */
export async function runEnclave(
  input: Omit<EnclaveInput, 'log' | 'networks'>,
  networks: Networks = production,
): Promise<void> {
  const log = lineLog('enclave-simulated', input.nowMs, (line) => process.stderr.write(line))
  exitWithParent()
  try {
    const enclave = await startEnclave({ ...input, networks, log })
    await enclave.opened
    if (enclave.phase() !== 'sealed') process.stdout.write(readyLine)
  } catch (error) {
    log('start failed', { error: error instanceof Error ? error.message : 'unknown' })
    process.exit(1)
  }
}

/** Time for the answer to reach whoever sealed it. */
const sealedForMs = 1_000

/**
 * The life of the production enclave, as a service: it serves until SIGTERM or SIGINT, which end it with 0, or until it is sealed, which ends it
 * with 1 a second later: only a new process has keys again. The end of its parent, or of whoever reads its log, does not. Rejects when it cannot start.
 */
export async function serveUntilSignal(input: Omit<EnclaveInput, 'networks'>): Promise<void> {
  let close = async () => {}
  let isEnding = false
  const end = () => {
    isEnding = true
    void close().finally(() => process.exit(0))
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  process.on('SIGHUP', () => {})
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const enclave = await startEnclave({ ...input, networks: production })
  close = () => enclave.close()
  void enclave.sealed.then(() => {
    if (!isEnding) setTimeout(() => process.exit(1), sealedForMs)
  })
  await enclave.opened
}
