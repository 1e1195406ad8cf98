import type { Socket } from 'node:net'
import { wipe } from '@symbolon/crypto'
import {
  abandonMessage,
  beginMessage,
  type ChannelOffer,
  channelNonceBytes,
  decodeClientHello,
  eachMessage,
  enclaveStatuses,
  encodeEnclaveHello,
  endMessage,
  frame,
  frameSplitter,
  helloBinding,
  helloTranscript,
  recordOpener,
  recordSealer,
  wipeWriter,
  wireWriter,
  writeFixed,
  writtenBytes,
} from '@symbolon/crypto/node'
import type { Attestor } from './attestor.ts'
import type { Dispatch, LateAnswer } from './dispatch.ts'
import type { EnclaveLog } from './enclave-log.ts'
import type { EnclaveState } from './enclave-state.ts'
import type { SecureSlots } from './secure-slots.ts'
import { sodiumRecordCipher } from './sodium-record-cipher.ts'

/** What every connection shares. */
export type SessionInput = {
  state: EnclaveState
  offer: ChannelOffer
  attestor: Attestor
  dispatch: Dispatch
  /** Locked memory for the keys of connections: one slot for each. */
  channelSlots: SecureSlots
  /** Locked memory that requests are opened into, as long as the longest record: one after the other. */
  requests: Uint8Array
  log: EnclaveLog
}

type Receive = (frameBytes: Uint8Array) => Promise<void> | void

const handshakeLimitMs = 5_000
// Answers leave after this many, so that the client works on the first ones while the rest are made.
const answersPerRecord = 8
// With the longest answer (effective policies) behind these, a record is not too long.
const answerBytesMax = 256 << 10
const unsentBytesMax = 4 << 20

/** Serves one connection to its end: handshake, then records. Any malformed byte drops it and nothing else. */
export function serveConnection(socket: Socket, input: SessionInput): void {
  const frames = frameSplitter()
  let receive: Receive = receiveHello
  let isBusy = false
  const limit = setTimeout(() => drop('handshake time limit'), handshakeLimitMs)

  socket.on('data', (chunk) => {
    frames.push(chunk)
    if (!isBusy) drain()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => clearTimeout(limit))

  function drop(reason: string): void {
    if (socket.destroyed) return
    input.log('connection dropped', { reason })
    socket.destroy()
  }

  function fail(error: unknown): void {
    drop(error instanceof Error ? error.name : 'error')
  }

  function drain(): void {
    try {
      for (;;) {
        if (socket.destroyed) return
        const next = frames.next()
        if (next === undefined) return
        const done = receive(next)
        if (done !== undefined) {
          wait(done)
          return
        }
      }
    } catch (error) {
      fail(error)
    }
  }

  // The handshake's steps are asynchronous; what arrives meanwhile waits in the socket.
  function wait(done: Promise<void>): void {
    isBusy = true
    socket.pause()
    done.then(() => {
      isBusy = false
      socket.resume()
      drain()
    }, fail)
  }

  async function receiveHello(clientHello: Uint8Array): Promise<void> {
    const { nonce } = decodeClientHello(clientHello)
    if (nonce.length !== channelNonceBytes || !input.state.phases.allows('handshake')) {
      throw new Error('no handshake now')
    }
    const said = { phase: input.state.phases.current(), keyVersionA: input.state.keyVersionA() }
    const document = await input.attestor.attest({
      publicKey: input.offer.publicKey,
      nonce,
      userData: helloBinding(said),
    })
    const hello = encodeEnclaveHello({ ...said, document })
    const transcript = helloTranscript(clientHello, hello)
    socket.write(frame(hello))
    receive = (encapsulated) => receiveKey(encapsulated, transcript)
  }

  async function receiveKey(encapsulated: Uint8Array, transcript: Uint8Array): Promise<void> {
    const { clientToEnclave, enclaveToClient } = await input.offer.accept(encapsulated, transcript)
    clearTimeout(limit)
    try {
      const [requestKey, answerKey] = lockKeys(clientToEnclave, enclaveToClient)
      receive = recordServer(
        recordOpener(sodiumRecordCipher(requestKey, input.requests), 'client to enclave'),
        recordSealer(sodiumRecordCipher(answerKey, input.requests), 'enclave to client'),
      )
    } finally {
      wipe(clientToEnclave, enclaveToClient)
    }
  }

  function lockKeys(first: Uint8Array, second: Uint8Array): [Uint8Array, Uint8Array] {
    // A slot that no 'close' would give back, or the pool's last one, must not be taken.
    if (socket.destroyed || input.channelSlots.free() === 0) throw new Error('no channel now')
    const slot = input.channelSlots.take()
    socket.once('close', () => input.channelSlots.give(slot))
    const locked: [Uint8Array, Uint8Array] = [slot.full.subarray(0, 32), slot.full.subarray(32)]
    locked[0].set(first)
    locked[1].set(second)
    return locked
  }

  function recordServer(
    open: (record: Uint8Array) => Uint8Array,
    seal: (plaintext: Uint8Array) => Uint8Array,
  ): Receive {
    const answers = wireWriter(16 << 10)
    let waiting = 0

    function flush(): void {
      if (waiting === 0) return
      waiting = 0
      socket.write(seal(writtenBytes(answers)))
      wipeWriter(answers)
      if (socket.writableLength > unsentBytesMax) drop('answers are not read')
    }

    /** Answers come in any order: a late one has a record of its own. */
    async function answerLater(id: number, late: LateAnswer): Promise<void> {
      const { status, body } = await late
      if (socket.destroyed) return
      const at = beginMessage(answers, id, enclaveStatuses[status])
      writeFixed(answers, body)
      endMessage(answers, at)
      waiting += 1
      flush()
    }

    return (record) => {
      const requests = open(record)
      try {
        eachMessage(requests, (id, code, body) => {
          const at = beginMessage(answers, id, enclaveStatuses.ok)
          const status = input.dispatch(code, body, answers)
          if (typeof status !== 'string') {
            abandonMessage(answers, at)
            answerLater(id, status).catch(fail)
            return
          }
          if (status !== 'ok') {
            abandonMessage(answers, at)
            beginMessage(answers, id, enclaveStatuses[status])
          }
          endMessage(answers, at)
          waiting += 1
          if (waiting === answersPerRecord || answers.offset > answerBytesMax) flush()
        })
      } finally {
        // Requests carry data keys.
        requests.fill(0)
      }
      flush()
    }
  }
}
