import { createSecretKey, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import {
  beginMessage,
  clientHelloBytes,
  clientKeyBytes,
  decodeEnclaveHello,
  enclaveOps,
  encodeClientHello,
  endMessage,
  frame,
  frameSplitter,
  helloTranscript,
  joinChannel,
  keyRing,
  nodeRecordCipher,
  recordSealer,
  wireWriter,
  writtenBytes,
} from '@symbolon/crypto/node'
import { enclaveSocket, greetEnclave, openEnclaveChannel } from '@symbolon/server/testing/adapters'
import {
  type EnclaveProcess,
  makeTeeWallet,
  messageIntent,
  startEnclaveProcess,
  testApiKey,
} from '@symbolon/testing/enclave'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let child: EnclaveProcess
const sockets: Socket[] = []

beforeAll(async () => {
  child = await startEnclaveProcess()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => child.stop())

/** Reads one frame; undefined where the enclave closes instead. */
function nextFrame(socket: Socket): Promise<Uint8Array | undefined> {
  const frames = frameSplitter()
  return new Promise((resolve) => {
    const onData = (chunk: Uint8Array) => {
      frames.push(chunk)
      const next = frames.next()
      if (next === undefined) return
      socket.off('data', onData)
      resolve(Uint8Array.from(next))
    }
    socket.on('data', onData)
    socket.once('close', () => resolve(undefined))
  })
}

const isClosed = (socket: Socket) =>
  new Promise<true>((resolve) => {
    if (socket.destroyed) resolve(true)
    socket.resume()
    socket.once('close', () => resolve(true))
  })

function open(): Socket {
  const socket = connect(child.socketPath)
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** A connection whose enclave has said its hello. */
async function greeted() {
  const socket = open()
  const clientHello = encodeClientHello(randomBytes(32))
  socket.write(frame(clientHello))
  const enclaveHello = await nextFrame(socket)
  if (enclaveHello === undefined) throw new Error('no hello')
  // The attestation is not the point here.
  const { publicKey } = (await greetEnclave(child.socketPath, child.policy)).attested
  const transcript = helloTranscript(clientHello, enclaveHello)
  return { socket, clientHello, enclaveHello, transcript, publicKey }
}

/** As many channels, few of them at a time: a handshake has five seconds, also on a busy machine. */
async function openMany(count: number) {
  const channels = []
  while (channels.length < count) {
    const together = Math.min(16, count - channels.length)
    channels.push(
      ...(await Promise.all(Array.from({ length: together }, () => openEnclaveChannel(child.client)))),
    )
  }
  sockets.push(...channels.map(({ socket }) => socket))
  return channels
}

const drops = () =>
  child.lines
    .filter((line) => line.includes('connections dropped'))
    .reduce((sum, line) => sum + (JSON.parse(line) as { connections: number }).connections, 0)

test('the key of the manifest opens a channel, once', async () => {
  const { socket, transcript, publicKey } = await greeted()
  const { frame: clientKey } = await joinChannel(publicKey, transcript, child.apiKey)
  socket.write(frame(clientKey))
  // Another frame of a handshake is no record.
  socket.write(frame(clientKey))
  expect(await isClosed(socket)).toBe(true)
})

test('an unknown key, a known one that it does not have, and none end the connection before any record is read', async () => {
  const other = testApiKey()
  const { x } = child.apiKey
  const attempts: ((input: Awaited<ReturnType<typeof greeted>>) => Promise<Uint8Array>)[] = [
    async ({ publicKey, transcript }) => (await joinChannel(publicKey, transcript, other)).frame,
    // It names the known key and proves another.
    async ({ publicKey, transcript }) => {
      const [own, theirs] = await Promise.all([
        joinChannel(publicKey, transcript, child.apiKey),
        joinChannel(publicKey, transcript, other),
      ])
      return Buffer.concat([own.frame.subarray(0, 32), theirs.frame.subarray(32)])
    },
    async ({ publicKey, transcript }) => (await joinChannel(publicKey, transcript, { ...other, x })).frame,
    async () => randomBytes(clientKeyBytes),
    async () => Buffer.alloc(clientKeyBytes),
    async () => randomBytes(32),
  ]
  for (const attempt of attempts) {
    const input = await greeted()
    const before = drops()
    input.socket.write(frame(await attempt(input).catch(() => randomBytes(clientKeyBytes))))
    expect(await isClosed(input.socket)).toBe(true)
    await expect.poll(drops, { timeout: 10_000 }).toBeGreaterThan(before)
  }
})

test('the right key over another transcript, and a frame that was replayed, end the connection', async () => {
  const first = await greeted()
  const { frame: recorded, keys } = await joinChannel(first.publicKey, first.transcript, child.apiKey)
  first.socket.write(frame(recorded))
  for (const replay of [true, false]) {
    const { socket, publicKey, enclaveHello } = await greeted()
    const wrong = helloTranscript(encodeClientHello(randomBytes(32)), enclaveHello)
    const sent = replay ? recorded : (await joinChannel(publicKey, wrong, child.apiKey)).frame
    socket.write(frame(sent))
    expect(await isClosed(socket)).toBe(true)
  }
  // The one that it was made for is still there, and answers.
  const seal = recordSealer(nodeRecordCipher(createSecretKey(keys.clientToEnclave)), 'client to enclave')
  const status = wireWriter(64)
  endMessage(status, beginMessage(status, 1, enclaveOps.status))
  first.socket.write(seal(writtenBytes(status)))
  expect(await nextFrame(first.socket)).toBeDefined()
})

test('a client whose key is unknown is unavailable, and one with the right key beside it is not disturbed', async () => {
  const stranger = enclaveSocket({ ...child.client, apiKey: testApiKey() })
  const enclave = enclaveSocket(child.client)
  const refused = Array.from({ length: 5 }, () => stranger.status())
  for (const outcome of await Promise.allSettled(refused))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  expect((await enclave.status()).phase).toBe('serving')
  await Promise.all([stranger.close(), enclave.close()])
})

test('a hello of another version ends the connection without a word', async () => {
  for (const version of [0, 1, 2, 4, 255]) {
    const socket = open()
    const nonce = randomBytes(32)
    socket.write(frame(Buffer.concat([Buffer.of(version), nonce])))
    expect(await nextFrame(socket), `version ${version}`).toBeUndefined()
  }
})

test('a frame longer than a hello, and a second one before the answer, end the connection at once', async () => {
  const from = performance.now()
  const long = open()
  const head = Buffer.alloc(4)
  head.writeUInt32BE(clientHelloBytes + 1)
  long.write(head)
  expect(await isClosed(long)).toBe(true)
  const twice = open()
  const hello = frame(encodeClientHello(randomBytes(32)))
  twice.write(Buffer.concat([hello, hello]))
  expect(await isClosed(twice)).toBe(true)
  // After the hello, a frame longer than a key's: not one more byte of it is waited for.
  const { socket } = await greeted()
  head.writeUInt32BE(clientKeyBytes + 1)
  socket.write(head)
  expect(await isClosed(socket)).toBe(true)
  // Well before the time of a handshake is up, which would end each of them.
  expect(performance.now() - from).toBeLessThan(4_500)
})

test('200 strangers hold their connections while a client connects and signs, and cost a bounded number of documents', async () => {
  const enclave = enclaveSocket(child.client)
  const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
  const nonces = new Map<string, number>()
  const from = performance.now()
  const strangers = Array.from({ length: 200 }, async (_, i) => {
    const socket = open()
    // Half of them say hello, and never anything else.
    if (i % 2 === 0) return
    socket.write(frame(encodeClientHello(randomBytes(32))))
    const answer = await nextFrame(socket)
    if (answer === undefined) return
    const { nonces: together } = decodeEnclaveHello(answer)
    nonces.set(Buffer.concat(together).toString('hex'), together.length)
  })
  // A busy machine may take longer than the second that a request waits for its connection.
  await expect
    .poll(() =>
      enclave.status().then(
        ({ phase }) => phase,
        () => 'unavailable',
      ),
    )
    .toBe('serving')
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const { signatures } = await enclave.sign({
    ...wallet,
    intent: messageIntent('ed25519', 'beside strangers'),
  })
  expect(signatures[0].signature).toHaveLength(64)
  // They hold on still: nobody's time is up.
  expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(32)
  expect(performance.now() - from).toBeLessThan(5_000)
  await Promise.all([...strangers.slice(-50)])
  // One document every 50 ms, however many ask.
  expect(nonces.size).toBeGreaterThan(0)
  expect(nonces.size).toBeLessThanOrEqual(1 + (performance.now() - from) / 50)
  expect(Math.max(...nonces.values())).toBeGreaterThan(1)
  await enclave.close()
})

test('a hundred authenticated connections serve at once, and strangers take none of their places', async () => {
  const channels = await openMany(100)
  const strangers = Array.from({ length: 100 }, () => open())
  await Promise.all(strangers.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  const enclave = enclaveSocket(child.client)
  expect((await enclave.status()).phase).toBe('serving')
  expect(channels.every(({ socket }) => !socket.destroyed)).toBe(true)
  await enclave.close()
}, 30_000)

test('the 129th authenticated connection is refused, and a place is free again once one is closed', async () => {
  // Without those of the tests before, which may not be closed yet.
  await child.stop()
  child = await startEnclaveProcess()
  const [first] = await openMany(128)
  const [last] = await openMany(1)
  if (last === undefined) throw new Error('no channel')
  expect(await isClosed(last.socket)).toBe(true)
  first?.socket.destroy()
  const enclave = enclaveSocket(child.client)
  await expect
    .poll(() =>
      enclave.status().then(
        ({ phase }) => phase,
        () => 'unavailable',
      ),
    )
    .toBe('serving')
  await enclave.close()
}, 40_000)
