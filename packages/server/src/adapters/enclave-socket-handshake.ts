import { createSecretKey, randomFillSync } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { equalBytes, wipe } from '@symbolon/crypto'
import { type AttestationPolicy, type AttestedEnclave, attestedEnclave } from '@symbolon/crypto/attestation'
import {
  type ApiKey,
  decodeEnclaveHello,
  type EnclaveFacts,
  encodeClientHello,
  type FrameSplitter,
  frame,
  frameSplitter,
  helloBinding,
  helloNonce,
  helloTranscript,
  joinChannel,
  nodeRecordCipher,
  type RecordCipher,
  recordOpener,
  recordSealer,
  WireError,
} from '@symbolon/crypto/node'

/** A connection whose enclave has said, attested, what phase it is in and which ring it has. */
type Attested = {
  socket: Socket
  frames: FrameSplitter
  attested: AttestedEnclave
  facts: EnclaveFacts
}

/** An encrypted connection to an enclave whose attestation was verified. */
export type EnclaveChannel = Attested & {
  /** Makes a whole frame of the messages of one record. */
  seal(plaintext: Uint8Array): Uint8Array
  open(record: Uint8Array): Uint8Array
}

/** An attested connection to an enclave that knows nothing of this side yet. */
export type EnclaveGreeting = Attested & {
  /**
   * Makes the channel by this side's key. Rejects with an error of the connection; then nothing is open. An enclave that does not know the key ends the
   * connection instead of its first answer.
   */
  join(apiKey: ApiKey): Promise<EnclaveChannel>
}

const handshakeLimitMs = 3_000
const nonceBytes = 32

/** Connects and has the enclave attest itself. Rejects with a system error, `AttestationError` or `WireError`; then nothing is open. */
export async function greetEnclave(path: string, policy: AttestationPolicy): Promise<EnclaveGreeting> {
  const socket = connect(path)
  const frames = frameSplitter()
  try {
    const nonce = randomFillSync(new Uint8Array(nonceBytes))
    const clientHello = encodeClientHello(nonce)
    socket.write(frame(clientHello))
    const enclaveHello = await firstFrame(socket, frames)
    const { nonces, document, ...facts } = decodeEnclaveHello(enclaveHello)
    if (!nonces.some((one) => equalBytes(one, nonce))) throw new WireError('the hello is for others')
    const attested = await attestedEnclave(document, policy, {
      nonce: helloNonce(nonces),
      userData: helloBinding(facts),
      now: Date.now(),
    })
    const transcript = helloTranscript(clientHello, enclaveHello)
    const connection = { socket, frames, attested, facts }
    return { ...connection, join: (apiKey) => joined(connection, transcript, apiKey) }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Greets the enclave and joins its channel. Rejects as both do. */
export async function openEnclaveChannel({
  path,
  policy,
  apiKey,
}: {
  path: string
  policy: AttestationPolicy
  apiKey: ApiKey
}): Promise<EnclaveChannel> {
  const greeting = await greetEnclave(path, policy)
  return greeting.join(apiKey)
}

async function joined(connection: Attested, transcript: Uint8Array, apiKey: ApiKey): Promise<EnclaveChannel> {
  const { socket, attested } = connection
  try {
    const { frame: clientKey, keys } = await joinChannel(attested.publicKey, transcript, apiKey)
    if (socket.destroyed) throw new Error('connection lost in the handshake')
    socket.write(frame(clientKey))
    return {
      ...connection,
      seal: recordSealer(cipherOf(keys.clientToEnclave), 'client to enclave'),
      open: recordOpener(cipherOf(keys.enclaveToClient), 'enclave to client'),
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
