import { createSecretKey, randomFillSync } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { wipe } from '@symbolon/crypto'
import { type AttestationPolicy, type AttestedEnclave, attestedEnclave } from '@symbolon/crypto/attestation'
import {
  channelNonceBytes,
  decodeEnclaveHello,
  encodeClientHello,
  type FrameSplitter,
  frame,
  frameSplitter,
  helloBinding,
  helloTranscript,
  joinChannel,
  nodeRecordCipher,
  type RecordCipher,
  type RingState,
  recordOpener,
  recordSealer,
} from '@symbolon/crypto/node'

/** An encrypted connection to an enclave whose attestation was verified. */
export type EnclaveChannel = {
  socket: Socket
  frames: FrameSplitter
  /** Makes a whole frame of the messages of one record. */
  seal(plaintext: Uint8Array): Uint8Array
  open(record: Uint8Array): Uint8Array
  attested: AttestedEnclave
  ring: RingState
}

const handshakeLimitMs = 3_000

/** Connects and shakes hands. Rejects with a system error, `AttestationError` or `WireError`; then nothing is open. */
export async function openEnclaveChannel(path: string, policy: AttestationPolicy): Promise<EnclaveChannel> {
  const socket = connect(path)
  const frames = frameSplitter()
  try {
    const clientHello = encodeClientHello(randomFillSync(new Uint8Array(channelNonceBytes)))
    socket.write(frame(clientHello))
    const enclaveHello = await firstFrame(socket, frames)
    const hello = decodeEnclaveHello(enclaveHello)
    const attested = await attestedEnclave(hello.document, policy, {
      nonce: clientHello.subarray(1),
      userData: helloBinding(hello),
      now: Date.now(),
    })
    const transcript = helloTranscript(clientHello, enclaveHello)
    const { encapsulated, keys } = await joinChannel(attested.publicKey, transcript)
    if (socket.destroyed) throw new Error('connection lost in the handshake')
    socket.write(frame(encapsulated))
    return {
      socket,
      frames,
      seal: recordSealer(cipherOf(keys.clientToEnclave), 'client to enclave'),
      open: recordOpener(cipherOf(keys.enclaveToClient), 'enclave to client'),
      attested,
      ring: { ringId: hello.ringId, keyVersionA: hello.keyVersionA },
    }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function cipherOf(key: Uint8Array): RecordCipher {
  const cipher = nodeRecordCipher(createSecretKey(key))
  wipe(key)
  return cipher
}

function firstFrame(socket: Socket, frames: FrameSplitter): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const limit = setTimeout(() => reject(new Error('handshake time limit')), handshakeLimitMs)
  const onData = (chunk: Uint8Array) => {
    try {
      frames.push(chunk)
      const next = frames.next()
      if (next !== undefined) resolve(Uint8Array.from(next))
    } catch (error) {
      reject(error)
    }
  }
  socket.on('data', onData)
  socket.on('error', reject)
  socket.once('close', () => reject(new Error('connection closed in the handshake')))
  return promise.finally(() => {
    clearTimeout(limit)
    socket.off('data', onData)
  })
}
