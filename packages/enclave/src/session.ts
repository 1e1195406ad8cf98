import type { Socket } from 'node:net'
import { wipe } from '@symbolon/crypto'
import {
  abandonMessage,
  beginMessage,
  type ChannelOffer,
  clientHelloBytes,
  clientKeyBytes,
  decodeClientHello,
  decodeClientKey,
  eachMessage,
  enclaveStatuses,
  encodeEnclaveHello,
  endMessage,
  frame,
  frameBytesMax,
  frameSplitter,
  helloTranscript,
  recordOpener,
  recordSealer,
  wipeWriter,
  wireWriter,
  writeFixed,
  writtenBytes,
} from '@symbolon/crypto/node'
import { waitingBytesMax } from './bounded-answers.ts'
import type { Channels } from './channels.ts'
import type { Dispatch, LateAnswer } from './dispatch.ts'
import type { EnclaveState } from './enclave-state.ts'
import type { HelloDocuments } from './hello-documents.ts'
import { sodiumRecordCipher } from './sodium-record-cipher.ts'
import type { Strangers } from './strangers.ts'

/** What every connection shares. */
export type SessionInput = {
  state: EnclaveState
  offer: ChannelOffer
  helloDocuments: HelloDocuments
  /** Where a connection is until it has proven an API key. */
  strangers: Strangers
  dispatch: Dispatch
  /** Looks whether the root has another ring, or a later manifest. */
  refreshRing(): void
  /** Where a connection is once it has proven an API key. */
  channels: Channels
  /** Locked memory that requests are opened into, as long as the longest record: one after the other. */
  requests: Uint8Array
  /** Takes the reason for which a connection was dropped. */
  logDrop(reason: string): void
}

type Receive = (frameBytes: Uint8Array) => Promise<void> | void

const handshakeLimitMs = 5_000
// Answers leave after this many, so that the client works on the first ones while the rest are made.
const answersPerRecord = 8
const unsentBytesMax = 4 << 20

/** One connection. `receive` takes the next frame, of `frameMax` bytes at most; while `isBusy`, frames wait in the socket. */
type Connection = {
  readonly socket: Socket
  readonly input: SessionInput
  readonly frames: ReturnType<typeof frameSplitter>
  readonly limit: NodeJS.Timeout
  receive: Receive
  frameMax: number
  isBusy: boolean
}

/** Answers that are not sealed yet, and how many they are. */
type Answers = {
  readonly connection: Connection
  readonly seal: (plaintext: Uint8Array) => Uint8Array
  readonly writer: ReturnType<typeof wireWriter>
  waiting: number
}

/** Serves one connection to its end: handshake, then records. Any malformed byte drops it and nothing else. */
export function serveConnection(socket: Socket, input: SessionInput): void {
  const connection: Connection = {
    socket,
    input,
    frames: frameSplitter(),
    limit: setTimeout(() => drop(connection, 'handshake time limit'), handshakeLimitMs),
    receive: (clientHello) => receiveHello(connection, clientHello),
    frameMax: clientHelloBytes,
    isBusy: false,
  }
  input.strangers.add(socket)
  socket.on('data', (chunk) => {
    connection.frames.push(chunk)
    if (!connection.isBusy) drain(connection)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    input.strangers.remove(socket)
    clearTimeout(connection.limit)
  })
}

function drop({ socket, input }: Connection, reason: string): void {
  if (socket.destroyed) return
  input.logDrop(reason)
  socket.destroy()
}

function fail(connection: Connection, error: unknown): void {
  drop(connection, error instanceof Error ? error.name : 'error')
}

function drain(connection: Connection): void {
  try {
    for (;;) {
      if (connection.socket.destroyed) return
      const next = connection.frames.next(connection.frameMax)
      if (next === undefined) return
      const done = connection.receive(next)
      if (done !== undefined) {
        wait(connection, done)
        return
      }
    }
  } catch (error) {
    fail(connection, error)
  }
}

// The handshake's steps are asynchronous; what arrives meanwhile waits in the socket.
function wait(connection: Connection, done: Promise<void>): void {
  connection.isBusy = true
  connection.socket.pause()
  done.then(
    () => {
      connection.isBusy = false
      connection.socket.resume()
      drain(connection)
    },
    (error) => fail(connection, error),
  )
}

async function receiveHello(connection: Connection, clientHello: Uint8Array): Promise<void> {
  const { socket, input } = connection
  const { nonce } = decodeClientHello(clientHello)
  if (!input.state.phases.allows('handshake')) throw new Error('no handshake now')
  input.strangers.heard(socket)
  input.refreshRing()
  const { hello, forget } = input.helloDocuments.ask(nonce)
  socket.once('close', forget)
  const enclaveHello = encodeEnclaveHello(await hello)
  socket.off('close', forget)
  const transcript = helloTranscript(clientHello, enclaveHello)
  socket.write(frame(enclaveHello))
  connection.frameMax = clientKeyBytes
  connection.receive = (clientKey) => receiveKey(connection, clientKey, transcript)
}

/** Only a client with an API key of the manifest gets a channel, and leaves the strangers' places for one of the authenticated. */
async function receiveKey(
  connection: Connection,
  clientKey: Uint8Array,
  transcript: Uint8Array,
): Promise<void> {
  const { state, offer, requests, strangers } = connection.input
  const { thumbprint, ...proof } = decodeClientKey(clientKey)
  const apiKey = state.phases.allows('channel') ? state.apiKey(thumbprint) : undefined
  if (apiKey === undefined) throw new Error('unknown API key')
  const { clientToEnclave, enclaveToClient } = await offer.accept(proof, transcript, apiKey)
  clearTimeout(connection.limit)
  try {
    // The manifest may have changed since.
    if (state.apiKey(thumbprint) === undefined) throw new Error('unknown API key')
    const [requestKey, answerKey] = lockKeys(connection, thumbprint, [clientToEnclave, enclaveToClient])
    strangers.remove(connection.socket)
    const open = recordOpener(sodiumRecordCipher(requestKey, requests), 'client to enclave')
    const seal = recordSealer(sodiumRecordCipher(answerKey, requests), 'enclave to client')
    const answers: Answers = { connection, seal, writer: wireWriter(16 << 10), waiting: 0 }
    connection.frameMax = frameBytesMax
    connection.receive = (record) => answerRecord(answers, open(record))
  } finally {
    wipe(clientToEnclave, enclaveToClient)
  }
}

function lockKeys(
  connection: Connection,
  thumbprint: Uint8Array,
  [first, second]: readonly [Uint8Array, Uint8Array],
): [Uint8Array, Uint8Array] {
  const { socket, input } = connection
  const slot = input.channels.open(socket, { thumbprint, drop: (reason) => drop(connection, reason) })
  const locked: [Uint8Array, Uint8Array] = [slot.full.subarray(0, 32), slot.full.subarray(32)]
  locked[0].set(first)
  locked[1].set(second)
  return locked
}

function answerRecord(answers: Answers, requests: Uint8Array): void {
  const { writer, connection } = answers
  try {
    eachMessage(requests, (id, code, body) => {
      const at = beginMessage(writer, id, enclaveStatuses.ok)
      const status = connection.input.dispatch(code, body, writer)
      if (typeof status !== 'string') {
        abandonMessage(writer, at)
        answerLater(answers, id, status).catch((error) => fail(connection, error))
        return
      }
      if (status !== 'ok') {
        abandonMessage(writer, at)
        beginMessage(writer, id, enclaveStatuses[status])
      }
      endMessage(writer, at)
      answers.waiting += 1
      if (answers.waiting === answersPerRecord || writer.offset > waitingBytesMax) flush(answers)
    })
  } finally {
    // Requests carry data keys.
    requests.fill(0)
  }
  flush(answers)
}

/** Answers come in any order: a late one has a record of its own. */
async function answerLater(answers: Answers, id: number, late: LateAnswer): Promise<void> {
  const { status, body } = await late
  if (answers.connection.socket.destroyed) return
  const at = beginMessage(answers.writer, id, enclaveStatuses[status])
  writeFixed(answers.writer, body)
  endMessage(answers.writer, at)
  answers.waiting += 1
  flush(answers)
}

function flush(answers: Answers): void {
  if (answers.waiting === 0) return
  answers.waiting = 0
  const { socket } = answers.connection
  socket.write(answers.seal(writtenBytes(answers.writer)))
  wipeWriter(answers.writer)
  if (socket.writableLength > unsentBytesMax) drop(answers.connection, 'answers are not read')
}
