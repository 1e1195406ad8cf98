import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  beginMessage,
  enclaveOps,
  encodeClientHello,
  endMessage,
  frame,
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
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

let child: EnclaveProcess
let enclave: Enclave

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket(child.client)
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

test('of more than 64 strangers the silent ones that came first are closed, the others after five seconds, a good one stays', async () => {
  const idle = Array.from({ length: 70 }, () => closing(connect(child.socketPath)))
  const closedAfterMs = await Promise.all(idle)
  const isClosedAtOnce = (ms: number) => ms < 3_000
  expect(closedAfterMs.slice(0, 6).every(isClosedAtOnce)).toBe(true)
  // The good one has a place of its own.
  expect(closedAfterMs.filter(isClosedAtOnce)).toHaveLength(70 - 64)
  expect(Math.max(...closedAfterMs)).toBeLessThan(9_000)
  expect((await enclave.status()).phase).toBe('serving')
})

test('who says half a hello, one byte after the other, or a hello and no key has five seconds', async () => {
  const hello = frame(encodeClientHello(randomBytes(32)))
  const [half, slow, mute] = [connect(child.socketPath), connect(child.socketPath), connect(child.socketPath)]
  half.write(hello.subarray(0, 20))
  mute.write(hello)
  let at = 0
  const drip = setInterval(() => slow.destroyed || slow.write(hello.subarray(at, ++at)), 250)
  const closedAfterMs = await Promise.all([half, slow, mute].map(closing))
  clearInterval(drip)
  expect(at).toBeGreaterThan(10)
  expect(Math.min(...closedAfterMs)).toBeGreaterThan(4_500)
  expect(Math.max(...closedAfterMs)).toBeLessThan(9_000)
})

test('a client that does not read its answers is dropped', async () => {
  const channel = await openEnclaveChannel(child.client)
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

test('an enclave that has greeted is waited for, however long the connection takes; a silent one for a second', async () => {
  const slow = enclaveSocket({
    ...child.client,
    checkRing: async () => {
      await sleep(2_500)
      return undefined
    },
  })
  const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
  const later = sleep(1_500).then(() => makeTeeWallet(slow, ring, 'ed25519'))
  await makeTeeWallet(slow, ring, 'ed25519')
  await later
  await slow.close()

  const silent = createServer(() => {})
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-silent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'socket')
  await new Promise<void>((resolve) => silent.listen(path, resolve))
  const mute = enclaveSocket({ ...child.client, path })
  const from = performance.now()
  await expect(makeTeeWallet(mute, ring, 'ed25519')).rejects.toMatchObject({ code: 'unavailable' })
  expect(performance.now() - from).toBeLessThan(4_000)
  await mute.close()
  silent.close()
})

test("strangers' requests for documents keep nobody from the document of the receipt key", async () => {
  const strangers = Promise.all(
    Array.from({ length: 200 }, () =>
      enclave.attest(randomBytes(32)).then(
        () => 'made',
        () => 'refused',
      ),
    ),
  )
  expect((await enclave.attest(null)).document.length).toBeGreaterThan(1_000)
  // They take more than the queue lasts.
  expect(await strangers).toContain('refused')
})
