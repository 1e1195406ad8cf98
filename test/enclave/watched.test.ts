import { randomBytes } from 'node:crypto'
import { keyRing } from '@symbolon/crypto/node'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import {
  type EnclaveProcess,
  makeTeeWallet,
  messageIntent,
  operatorOf,
  startEnclaveProcess,
} from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { afterEach, expect, test } from 'vitest'

const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
const intent = messageIntent('ed25519', 'm')
const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A watched enclave, a client of it with a wallet, and the process that serves now. */
async function watched() {
  const child = await startEnclaveProcess({ isWatched: true })
  cleanups.push(child.stop)
  const enclave = enclaveSocket(child.client)
  cleanups.push(enclave.close)
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const before = await enclave.sign({ ...wallet, intent })
  const signs = () =>
    enclave.sign({ ...wallet, intent }).then(
      (answer) => {
        expect(answer).toEqual(before)
        return true
      },
      () => false,
    )
  return { child, enclave, signs, pid: child.supervisor.pid() ?? 0 }
}

const deaths = ({ lines }: EnclaveProcess): unknown[] =>
  lines
    .map((line) => JSON.parse(line) as { event: string; reason?: string })
    .filter(({ event }) => event === 'enclave died')
    .map(({ reason }) => reason)

test('a dead enclave is started again', async () => {
  const { child, signs, pid } = await watched()
  process.kill(pid, 'SIGKILL')
  await until(async () => child.supervisor.pid() !== pid && (await signs()), 60_000)
  expect(deaths(child)).toEqual(['SIGKILL'])
}, 90_000)

test('a sealed enclave is ended and started again, and signs with the same wallet', async () => {
  const { child, enclave, signs, pid } = await watched()
  await operatorOf(enclave, child.operator).seal()
  await until(async () => child.supervisor.pid() !== pid && (await signs()), 60_000)
  expect(deaths(child)).toEqual(['sealed'])
}, 90_000)

test('an enclave that stands still is ended after 15 s without an answer, not before, and started again', async () => {
  const { child, signs, pid } = await watched()
  const from = performance.now()
  process.kill(pid, 'SIGSTOP')
  await until(() => child.supervisor.pid() !== pid, 120_000)
  expect(performance.now() - from).toBeGreaterThan(14_000)
  expect(deaths(child)).toEqual(['stuck'])
  await until(signs, 60_000)
}, 200_000)
