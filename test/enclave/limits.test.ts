import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import {
  beginMessage,
  enclaveOps,
  endMessage,
  keyRing,
  wireWriter,
  writtenBytes,
} from '@symbolon/crypto/node'
import { enclaveSocket, openEnclaveChannel } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import {
  type EnclaveProcess,
  makeTeeWallet,
  messageIntent,
  startEnclaveProcess,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'

let child: EnclaveProcess
let enclave: Enclave

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket({ path: child.socketPath, policy: child.policy })
  await enclave.status()
})

afterAll(async () => {
  await enclave.close()
  await child.stop()
})

const closing = (socket: Socket) =>
  new Promise<number>((resolve) => {
    const from = performance.now()
    socket.on('error', () => {})
    socket.resume()
    socket.once('close', () => resolve(performance.now() - from))
  })

test('connections beyond 64 are closed at once, silent ones after five seconds, a good one stays', async () => {
  const idle = Array.from({ length: 70 }, () => closing(connect(child.socketPath)))
  const closedAfterMs = (await Promise.all(idle)).sort((a, b) => a - b)
  // One of the 64 is the good one.
  expect(closedAfterMs.filter((ms) => ms < 3_000)).toHaveLength(70 - 63)
  expect(Math.max(...closedAfterMs)).toBeLessThan(9_000)
  expect((await enclave.status()).phase).toBe('serving')
})

test('a client that does not read its answers is dropped', async () => {
  const channel = await openEnclaveChannel(child.socketPath, child.policy)
  channel.socket.pause()
  const many = wireWriter(512 << 10)
  for (let id = 0; id < 40_000; id++) endMessage(many, beginMessage(many, id, enclaveOps.status))
  const isClosed = new Promise<void>((resolve) => {
    channel.socket.on('error', () => {})
    channel.socket.once('close', () => resolve())
  })
  for (let i = 0; i < 12; i++) channel.socket.write(channel.seal(writtenBytes(many)))
  await expect.poll(() => child.lines.some((line) => line.includes('answers are not read'))).toBe(true)
  channel.socket.resume()
  await isClosed
  expect((await enclave.status()).phase).toBe('serving')
})

test('an enclave that hangs is given up after five seconds; its late answers disturb nothing', async () => {
  const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const sign = (text: string) => enclave.sign({ ...wallet, intent: messageIntent('ed25519', text) })
  const expected = await sign('second')
  const pid = child.supervisor.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  const from = performance.now()
  try {
    await expect(sign('first')).rejects.toMatchObject({ code: 'unavailable' })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(performance.now() - from).toBeGreaterThan(4_500)
  expect(performance.now() - from).toBeLessThan(9_000)
  expect(await sign('second')).toEqual(expected)
})
