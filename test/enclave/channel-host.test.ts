import { randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type AttestationPolicy, nitroPolicy } from '@symbolon/crypto/attestation'
import { decodeEnclaveHello, encodeEnclaveHello, frame, frameSplitter } from '@symbolon/crypto/node'
import { enclaveSocket, greetEnclave } from '@symbolon/server/testing/adapters'
import { type EnclaveProcess, expectedMeasurements, startEnclaveProcess } from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

// The host between API and enclave carries every byte: what it changes, keeps or plays again.

/** What the host sees of one connection, and what it makes of the enclave's hello. */
type Host = { path: string; sent: Buffer[]; answered: Buffer[]; server: Server; sockets: Socket[] }

let child: EnclaveProcess
let host: Host
let change: (enclaveHello: Uint8Array) => Uint8Array = (hello) => hello

beforeAll(async () => {
  child = await startEnclaveProcess()
  host = await startHost()
})
afterEach(() => {
  change = (hello) => hello
  for (const list of [host.sent, host.answered]) list.length = 0
})
afterAll(async () => {
  for (const socket of host.sockets) socket.destroy()
  host.server.close()
  await child.stop()
})

async function startHost(): Promise<Host> {
  const path = join(child.folder, 'host.sock')
  const sent: Buffer[] = []
  const answered: Buffer[] = []
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(child.socketPath)
    const frames = frameSplitter()
    let isFirst = true
    sockets.push(near, far)
    near.on('data', (chunk) => {
      sent.push(Buffer.from(chunk))
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      frames.push(chunk)
      for (let next = frames.next(); next !== undefined; next = frames.next()) {
        const passed = frame(isFirst ? change(next) : next)
        isFirst = false
        answered.push(Buffer.from(passed))
        near.write(passed)
      }
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return { path, sent, answered, server, sockets }
}

const clientOf = (path: string, policy: AttestationPolicy = child.policy) => {
  const enclave = enclaveSocket({ ...child.client, path, policy })
  return { status: () => enclave.status().finally(() => enclave.close()) }
}

/** Changes members of the hello that the document must be about. */
const withMembers =
  (
    members: (hello: ReturnType<typeof decodeEnclaveHello>) => Partial<ReturnType<typeof decodeEnclaveHello>>,
  ) =>
  (hello: Uint8Array): Uint8Array => {
    const read = decodeEnclaveHello(hello)
    return encodeEnclaveHello({ ...read, ...members(read) })
  }

test('a host that passes everything on is not noticed', async () => {
  change = withMembers(() => ({}))
  expect(await clientOf(host.path).status()).toMatchObject({ phase: 'serving', ringId: child.ringId })
})

test.each<[string, (hello: Uint8Array) => Uint8Array]>([
  ['another version', (hello) => Buffer.concat([Buffer.of(2), hello.subarray(1)])],
  ['another phase', withMembers(() => ({ phase: 'attested' }))],
  ['another ring', withMembers(() => ({ ringId: 'A'.repeat(43) }))],
  ['no ring', withMembers(() => ({ ringId: null, keyVersionA: 0 }))],
  ['another key version', withMembers(({ keyVersionA }) => ({ keyVersionA: keyVersionA + 1 }))],
  ['a nonce more', withMembers(({ nonces }) => ({ nonces: [...nonces, randomBytes(32)] }))],
  ['another nonce', withMembers(() => ({ nonces: [randomBytes(32)] }))],
  ['a document cut short', withMembers(({ document }) => ({ document: document.subarray(0, -1) }))],
  ['a byte more', (hello) => Buffer.concat([hello, Buffer.of(0)])],
  ['a byte less', (hello) => hello.subarray(0, -1)],
])('a hello with %s is refused by the client, which sends nothing to it', async (_, by) => {
  change = by
  await expect(greetEnclave(host.path, child.policy)).rejects.toThrow()
  await expect(clientOf(host.path).status()).rejects.toMatchObject({ code: 'unavailable' })
  // Hellos and nothing else, of however many tries.
  expect(host.sent.length).toBeGreaterThan(0)
  expect(host.sent.every((bytes) => bytes.length === 4 + 33)).toBe(true)
})

test("another client's hello is refused, also with the client's own nonce beside that of the document", async () => {
  let recorded: Uint8Array | undefined
  change = (hello) => {
    recorded ??= Uint8Array.from(hello)
    return hello
  }
  await clientOf(host.path).status()
  change = () => recorded ?? new Uint8Array(0)
  await expect(greetEnclave(host.path, child.policy)).rejects.toThrow('the hello is for others')
  change = (hello) => {
    const { nonces: own } = decodeEnclaveHello(hello)
    return withMembers(({ nonces }) => ({ nonces: [...nonces, ...own] }))(recorded ?? new Uint8Array(0))
  }
  await expect(greetEnclave(host.path, child.policy)).rejects.toThrow()
  await expect(clientOf(host.path).status()).rejects.toMatchObject({ code: 'unavailable' })
})

test('an enclave of another root is refused before the client names its key', async () => {
  const other = nitroPolicy([expectedMeasurements])
  await expect(clientOf(host.path, other).status()).rejects.toMatchObject({ code: 'unavailable' })
  expect(host.sent.every((bytes) => bytes.length === 4 + 33)).toBe(true)
})

test('a whole session that was recorded gets a hello and not one answer', async () => {
  await clientOf(host.path).status()
  const session = host.sent.splice(0).map((bytes) => Buffer.from(bytes))
  const [hello] = host.answered.splice(0)
  expect(session.length).toBeGreaterThan(1)
  for (let round = 0; round < 20; round++) {
    const answers: Buffer[] = []
    const socket = connect(child.socketPath)
    host.sockets.push(socket)
    let isClosed = false
    socket.on('error', () => {})
    socket.on('data', (chunk) => answers.push(Buffer.from(chunk)))
    socket.once('close', () => {
      isClosed = true
    })
    // Whole at once, and as the client sent it: the hello, then the rest after the answer.
    if (round % 2 === 0) socket.write(Buffer.concat(session))
    else {
      socket.write(session[0] ?? '')
      await until(() => answers.length > 0)
      socket.write(Buffer.concat(session.slice(1)))
    }
    await until(() => isClosed)
    // At most a hello for this connection, which is another one than the recorded.
    const bytes = Buffer.concat(answers)
    expect(bytes.length).toBeLessThanOrEqual((hello?.length ?? 0) + 64 * 32)
    const frames = frameSplitter()
    frames.push(bytes)
    const first = frames.next()
    if (first !== undefined) expect(frame(first)).not.toEqual(hello)
    expect(frames.next()).toBeUndefined()
  }
  expect(await clientOf(host.path).status()).toMatchObject({ phase: 'serving' })
}, 30_000)
