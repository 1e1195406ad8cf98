import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ApiKey } from '@symbolon/crypto/node'
import { simulatedMeasurements } from '@symbolon/dev/testing/attestation'
import { type Supervisor, superviseEnclave } from '@symbolon/enclave'
import {
  type AttestationPolicy,
  type LoadMarks,
  type Measurements,
  simulatedPolicy,
} from '@symbolon/server/testing/adapters'
import { inject } from 'vitest'
import type {} from '../setup/assets.ts'
import { makeTestRing, type TestRing } from './test-ring.ts'

/** A real enclave process with simulated attestation, in a folder of its own. */
export type EnclaveProcess = Omit<TestRing, 'manifest'> & {
  folder: string
  socketPath: string
  ringPath: string
  rootPath: string
  supervisor: Supervisor
  policy: AttestationPolicy
  /** What a client of it needs: one without a database. */
  client: { path: string; policy: AttestationPolicy; apiKey: ApiKey; loadMarks: LoadMarks }
  /** Lines of the enclave's log, as they came. */
  lines: string[]
  stop(): Promise<void>
}

/** The measurements of every simulated enclave, as a policy wants them. */
export const expectedMeasurements: Measurements = Object.fromEntries(
  [...simulatedMeasurements].map(([index, bytes]) => [index, Buffer.from(bytes).toString('hex')]),
)

/** What a database without marks brings an enclave that has just started. */
export const loadNoMarks: LoadMarks = async (enclave) => {
  if (await enclave.isLoading()) await enclave.load({ isFirst: true, isLast: true, segment: undefined })
}

/**
 * Starts an enclave under its supervisor and resolves once it serves; with a copy of `ringFile`, another `entry` and its folder in
 * another one when given. `isWatched`: its supervisor also ends one that is sealed or stuck.
 */
export async function startEnclaveProcess({
  ringFile,
  entry = inject('enclaveEntry'),
  parentFolder = tmpdir(),
  isWatched = false,
}: {
  ringFile?: string
  entry?: string
  parentFolder?: string
  isWatched?: boolean
} = {}): Promise<EnclaveProcess> {
  const folder = mkdtempSync(join(parentFolder, 'symbolon-enclave-'))
  const socketPath = join(folder, 'e.sock')
  const ringPath = join(folder, 'tee-a.key')
  const rootPath = join(folder, 'root.der')
  if (ringFile !== undefined) cpSync(ringFile, ringPath)
  const { ringId, apiKey, operator } = makeTestRing(ringPath)
  const lines: string[] = []
  const supervisor = superviseEnclave({
    entry,
    args: [socketPath, ringPath, rootPath],
    ...(isWatched && { watchedSocket: socketPath }),
    log: (event, fields) => lines.push(JSON.stringify({ event, ...fields })),
    onLine: (line) => lines.push(line),
  })
  await supervisor.ready
  const policy = simulatedPolicy(readFileSync(rootPath), [expectedMeasurements])
  return {
    folder,
    ringId,
    apiKey,
    operator,
    socketPath,
    ringPath,
    rootPath,
    supervisor,
    policy,
    client: { path: socketPath, policy, apiKey, loadMarks: loadNoMarks },
    lines,
    async stop() {
      await supervisor.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `kill -9` of the enclave; its supervisor starts it again. */
export async function restartEnclave({ supervisor }: Pick<EnclaveProcess, 'supervisor'>): Promise<void> {
  const pid = supervisor.pid()
  if (pid === undefined) throw new Error('no enclave')
  process.kill(pid, 'SIGKILL')
  while (supervisor.pid() === pid) await setTimeout(20)
}
