import { type Networks, networks as production } from '@symbolon/networks'
import { lineLog } from './enclave-log.ts'
import { exitWithParent } from './process-guard.ts'
import { type EnclaveInput, startEnclave } from './start-enclave.ts'
import { readyLine } from './supervisor.ts'

/**
 * The life of an enclave process: it ends with its parent, logs to standard error, says on standard output that it
 * serves, and exits with 1 when it cannot start. It waits for a key ring as long as there is none. It signs for the networks of production unless configured otherwise.
 */
export async function runEnclave(
  input: Omit<EnclaveInput, 'log' | 'networks'>,
  networks: Networks = production,
): Promise<void> {
  const log = lineLog((line) => process.stderr.write(line))
  exitWithParent()
  try {
    const enclave = await startEnclave({ ...input, networks, log })
    await enclave.serving
    if (enclave.phase() === 'serving') process.stdout.write(readyLine)
  } catch (error) {
    log('start failed', { error: error instanceof Error ? error.message : 'unknown' })
    process.exit(1)
  }
}
