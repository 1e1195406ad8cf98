import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keyRing } from '@symbolon/crypto/node'
import { superviseEnclave } from '@symbolon/enclave'
import { enclaveSocket, nitroPolicy, simulatedPolicy } from '@symbolon/server/testing/adapters'
import {
  type EnclaveProcess,
  expectEnclaveGuards,
  expectedMeasurements,
  makeTeeWallet,
  messageIntent,
  operatorOf,
  startEnclaveProcess,
  testApiKey,
} from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { afterEach, expect, inject, test } from 'vitest'

const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function started(): Promise<EnclaveProcess> {
  const child = await startEnclaveProcess()
  cleanups.push(child.stop)
  return child
}

function connected(child: EnclaveProcess, policy = child.policy) {
  const enclave = enclaveSocket({ ...child.client, policy })
  cleanups.push(enclave.close)
  return enclave
}

const unavailable = expect.objectContaining({ name: 'EnclaveError', code: 'unavailable' })
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a killed enclave is started again and the same adapter signs with the same wallet', async () => {
  const child = await started()
  const enclave = connected(child)
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  const intent = messageIntent('secp256k1', 'm')
  const before = await enclave.sign({ ...wallet, intent })
  for (let round = 0; round < 3; round++) {
    const pid = child.supervisor.pid() ?? 0
    process.kill(pid, 'SIGKILL')
    await until(() =>
      enclave.sign({ ...wallet, intent }).then(
        (answer) => {
          expect(answer).toEqual(before)
          return child.supervisor.pid() !== pid
        },
        () => false,
      ),
    )
  }
})

test('requests in flight when the enclave dies are refused as unavailable and can be repeated', async () => {
  const child = await started()
  const enclave = connected(child)
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const intent = messageIntent('ed25519', 'm')
  const pid = child.supervisor.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  const pending = Array.from({ length: 20 }, () => enclave.sign({ ...wallet, intent }))
  const settled = Promise.allSettled(pending)
  // Time for the requests to reach the enclave, which stands still and shows nothing.
  await new Promise((resolve) => setTimeout(resolve, 50))
  process.kill(pid, 'SIGKILL')
  // What waited for its turn meanwhile was not in flight: the next enclave signs it.
  const [first, ...others] = await settled
  expect(first).toEqual({ status: 'rejected', reason: unavailable })
  for (const outcome of others) if (outcome.status === 'rejected') expect(outcome.reason).toEqual(unavailable)
  await until(() =>
    enclave.sign({ ...wallet, intent }).then(
      () => true,
      () => false,
    ),
  )
})

test('without an enclave a request is unavailable after about a second, and works once there is one', async () => {
  const child = await started()
  const enclave = connected(child)
  await child.supervisor.stop()
  const from = performance.now()
  await expect(enclave.status()).rejects.toEqual(unavailable)
  expect(performance.now() - from).toBeLessThan(3_000)
  const again = superviseEnclave({
    entry: inject('enclaveEntry'),
    args: [child.socketPath, child.ringPath, child.rootPath],
    log: () => {},
  })
  cleanups.push(again.stop)
  await again.ready
  await until(() =>
    enclave.status().then(
      () => true,
      () => false,
    ),
  )
})

test('an enclave that the system does not start is tried again, and reported after five times', async () => {
  const starts: unknown[] = []
  const supervisor = superviseEnclave({
    entry: inject('enclaveEntry'),
    args: ['\0'],
    log: (event) => starts.push(event),
  })
  cleanups.push(supervisor.stop)
  await expect(supervisor.ready).rejects.toThrow('the enclave does not start')
  expect(starts).toEqual(Array(5).fill('enclave died'))
})

test('more requests than the queue holds are refused at once', async () => {
  const enclave = enclaveSocket({
    path: '/nonexistent/e.sock',
    policy: nitroPolicy([expectedMeasurements]),
    apiKey: testApiKey(),
  })
  cleanups.push(enclave.close)
  let refused = 0
  const calls = Array.from({ length: 5_000 }, () =>
    enclave.status().catch(() => {
      refused += 1
    }),
  )
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  expect(refused).toBe(5_000 - 4_096)
  await Promise.all(calls)
  expect(refused).toBe(5_000)
})

test('an enclave with other measurements, or under a root that was not pinned, is never used', async () => {
  const child = await started()
  const other = simulatedPolicy(readFileSync(child.rootPath), [
    { ...expectedMeasurements, 0: 'ab'.repeat(48) },
  ])
  await expect(connected(child, other).status()).rejects.toEqual(unavailable)
  await expect(connected(child, nitroPolicy([expectedMeasurements])).status()).rejects.toEqual(unavailable)
})

test('a sealed enclave only reports that it is sealed', async () => {
  const child = await started()
  const enclave = connected(child)
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const operator = operatorOf(enclave, child.operator)
  await operator.seal()
  expect((await enclave.status()).phase).toBe('sealed')
  const intent = messageIntent('ed25519', 'm')
  await expect(enclave.sign({ ...wallet, intent })).rejects.toEqual(unavailable)
  await expect(enclave.generate(wallet)).rejects.toEqual(unavailable)
  await expect(enclave.rewrap(wallet)).rejects.toEqual(unavailable)
  await expect(operator.rotate()).rejects.toEqual(unavailable)
  expect((await connected(child).status()).phase).toBe('sealed')
})

test.skipIf(process.platform === 'win32')('socket and ring file belong to this user alone', async () => {
  const child = await started()
  expect(statSync(child.socketPath).mode & 0o777).toBe(0o600)
  expect(statSync(child.ringPath).mode & 0o777).toBe(0o600)
  expect(statSync(`${child.rootPath}.key`).mode & 0o777).toBe(0o600)
})

test.skipIf(process.platform === 'win32')(
  'an enclave refuses a socket folder that others can enter',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'symbolon-open-'))
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
    const open = join(folder, 'open')
    mkdirSync(open, { mode: 0o755 })
    const lines: string[] = []
    const supervisor = superviseEnclave({
      entry: inject('enclaveEntry'),
      args: [join(open, 'e.sock'), join(folder, 'k'), join(folder, 'r')],
      log: () => {},
      onLine: (line) => lines.push(line),
    })
    cleanups.push(supervisor.stop)
    await until(() => lines.some((line) => line.includes('mode 0700')))
  },
)

test('an enclave does not take the socket of one that lives', async () => {
  const child = await started()
  const lines: string[] = []
  const second = superviseEnclave({
    entry: inject('enclaveEntry'),
    args: [child.socketPath, join(child.folder, 'other.key'), child.rootPath],
    log: () => {},
    onLine: (line) => lines.push(line),
  })
  cleanups.push(second.stop)
  await until(() => lines.some((line) => line.includes('another enclave answers')))
  expect((await connected(child).status()).phase).toBe('serving')
})

test.skipIf(process.platform === 'win32')('Ctrl-C leaves the enclave to its parent', async () => {
  const child = await started()
  const enclave = connected(child)
  const pid = child.supervisor.pid() ?? 0
  process.kill(pid, 'SIGINT')
  await enclave.status()
  expect(child.supervisor.pid()).toBe(pid)
  expect(isAlive(pid)).toBe(true)
})

test('a parent that is killed takes its enclave along', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-parent-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const script = fileURLToPath(new URL('./enclave-parent-process.ts', import.meta.url))
  const parent = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (chunk) => resolve(Number(String(chunk))))
  })
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await until(() => !isAlive(pid))
})

test.skipIf(process.platform !== 'linux')(
  'the simulated enclave has the guards of the production one, below its supervisor and when it is started alone',
  async () => {
    const child = await started()
    expectEnclaveGuards(child.supervisor.pid() ?? 0)
    const alone = spawn(
      process.execPath,
      [inject('enclaveEntry'), join(child.folder, 'alone.sock'), child.ringPath, child.rootPath],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    )
    cleanups.push(() => void alone.kill('SIGKILL'))
    await once(alone.stdout, 'data')
    expectEnclaveGuards(alone.pid ?? 0)
  },
)
