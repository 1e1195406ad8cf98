import { createECDH, randomBytes, randomInt } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import {
  beginMessage,
  type EnclaveOp,
  enclaveOps,
  encodeClientHello,
  endMessage,
  frame,
  frameSplitter,
  helloTranscript,
  joinChannel,
  p256PointBytes,
  type WireWriter,
  wireWriter,
  writeAgentReceiptRequest,
  writeAgentSignRequest,
  writeEvaluateRequest,
  writeExportRequest,
  writeGrantRequest,
  writeImportKeyRequest,
  writeImportRequest,
  writeJsonBody,
  writeSignRequest,
  writtenBytes,
} from '@symbolon/crypto/node'
import { type EnclaveChannel, openEnclaveChannel } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import { type EnclaveProcess, messageIntent, type TeeWallet } from '@symbolon/testing/enclave'

/** Where to send hostile bytes, and a wallet to make well-formed requests from. */
export type FuzzTarget = { client: EnclaveProcess['client']; channelKey: Uint8Array; wallet: TeeWallet }

/** How a connection ended: by the enclave, or by us because it stayed open. */
export type FuzzOutcome = 'dropped' | 'open'

const opsEnd = Math.max(...Object.values(enclaveOps)) + 1
// Generous: our own event loop may be late to see the close.
const silenceMs = 5_000
const pauseMs = 5

const flipped = (bytes: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const at = randomInt(copy.length)
  copy[at] = (copy[at] ?? 0) ^ (1 << randomInt(8))
  return copy
}

const withLength = (length: number, payload: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(length)
  return Buffer.concat([head, payload])
}

function message(op: EnclaveOp, write: (writer: WireWriter) => void): Uint8Array {
  const writer = wireWriter(1024)
  const at = beginMessage(writer, 1, enclaveOps[op])
  write(writer)
  endMessage(writer, at)
  return Uint8Array.from(writtenBytes(writer))
}

const layers = '{"organization":null,"agent":null,"session":{"max_tx_count":3}}'

const fuzzSession = (wallet: TeeWallet) => ({
  sessionId: wallet.walletId,
  policyVersion: 1,
  tokenKey: new Uint8Array(32).fill(1),
})

/** The grant of the session that well-formed requests are for. */
export const fuzzGrant = async (enclave: Enclave, wallet: TeeWallet): Promise<Uint8Array> =>
  (await enclave.grant({ ...wallet, ...fuzzSession(wallet), layers })).grant

/**
 * Well-formed requests for a wallet, each as one message of a record; only what the exchange of keys needs is made up. `grant` is that
 * of `fuzzGrant`.
 */
export function goodMessages(wallet: TeeWallet, grant: Uint8Array): Uint8Array[] {
  const point = createECDH('prime256v1').generateKeys()
  const owned = { ...wallet, userIdentityId: wallet.walletId }
  const sealed = { enc: point, ciphertext: new Uint8Array(48), importKey: new Uint8Array(p256PointBytes) }
  const session = fuzzSession(wallet)
  const signingRequest = {
    grant,
    current: '{"organization":null,"agent":null}',
    versions: { rules: 0, agentId: null, agent: 0 },
    nowMs: 1,
    intent: messageIntent(wallet.curve, 'fuzz'),
  }
  return [
    message('sign', (writer) =>
      writeSignRequest(writer, { ...wallet, intent: messageIntent(wallet.curve, 'fuzz') }),
    ),
    message('export', (writer) => writeExportRequest(writer, { ...owned, recipient: point })),
    message('importKey', (writer) => writeImportKeyRequest(writer, owned)),
    message('import', (writer) => writeImportRequest(writer, { ...owned, ...sealed })),
    message('grant', (writer) => writeGrantRequest(writer, { ...wallet, ...session, layers })),
    message('evaluate', (writer) =>
      writeEvaluateRequest(writer, { ...wallet, ...session, ...signingRequest }),
    ),
    message('agentSign', (writer) =>
      writeAgentSignRequest(writer, { ...wallet, ...session, ...signingRequest }),
    ),
    message('signWithReceipt', (writer) =>
      writeSignRequest(writer, { ...wallet, intent: messageIntent(wallet.curve, 'fuzz') }),
    ),
    message('agentSignWithReceipt', (writer) =>
      writeAgentReceiptRequest(writer, { ...wallet, ...session, ...signingRequest, spentBefore: [] }),
    ),
    message('effective', (writer) => writeJsonBody(writer, `[${layers}]`)),
  ]
}

// Before the channel: no byte of these is a valid hello or key.
const strangers: readonly (() => Uint8Array)[] = [
  () => randomBytes(randomInt(1, 200)),
  () => frame(randomBytes(randomInt(1, 200))),
  () => withLength(0, randomBytes(8)),
  () => withLength(0xffffffff, randomBytes(64)),
  () => withLength((1 << 20) + 1, randomBytes(64)),
  () => frame(Buffer.concat([Buffer.of(2), randomBytes(32)])),
  () => frame(Buffer.concat([Buffer.of(3), randomBytes(randomInt(0, 32))])),
  () => frame(Buffer.concat([Buffer.of(3), randomBytes(randomInt(33, 4000))])),
  () => withLength(33, Buffer.concat([Buffer.of(3), randomBytes(randomInt(0, 31))])),
  () => Buffer.concat([frame(Buffer.concat([Buffer.of(3), randomBytes(32)])), frame(randomBytes(31))]),
  () => Buffer.concat([frame(Buffer.concat([Buffer.of(3), randomBytes(32)])), frame(Buffer.alloc(32))]),
]

// Inside the channel: what no correct client sends.
const insiders: readonly ((channel: EnclaveChannel, request: Uint8Array) => Uint8Array)[] = [
  () => frame(randomBytes(randomInt(1, 400))),
  (channel, request) => {
    const record = channel.seal(request)
    return Buffer.concat([record, record])
  },
  (channel, request) => {
    const record = channel.seal(request)
    return Buffer.concat([record.subarray(0, 4), flipped(record.subarray(4))])
  },
  (channel, request) => {
    channel.seal(request)
    return channel.seal(request)
  },
  (channel) => channel.seal(randomBytes(randomInt(1, 400))),
  (channel, request) => channel.seal(request.subarray(0, randomInt(1, request.length))),
  (channel, request) => channel.seal(Buffer.concat([request, randomBytes(randomInt(1, 4))])),
  (channel, request) => {
    const wrongOp = Uint8Array.from(request)
    wrongOp[8] = randomInt(opsEnd, 256)
    return channel.seal(wrongOp)
  },
]

/** Sends one hostile opening and returns whether the enclave dropped the connection. */
export function sendAsStranger(target: FuzzTarget): Promise<FuzzOutcome> {
  const socket = connect(target.client.path)
  socket.write(pick(strangers)())
  return outcomeOf(socket, pauseMs)
}

// The third frame, from the key of the manifest itself: what no correct client sends.
const keyMutants: readonly ((clientKey: Uint8Array, recorded: Uint8Array) => Uint8Array)[] = [
  flipped,
  flipped,
  (clientKey) => clientKey.subarray(0, randomInt(1, clientKey.length)),
  (clientKey) => Buffer.concat([clientKey, randomBytes(randomInt(1, 400))]),
  (clientKey) => Buffer.concat([clientKey.subarray(0, 32), randomBytes(clientKey.length - 32)]),
  (clientKey) => Buffer.concat([randomBytes(32), clientKey.subarray(32)]),
  (clientKey) => Buffer.concat([clientKey.subarray(0, 32), Buffer.alloc(32), clientKey.subarray(64)]),
  (clientKey) => randomBytes(clientKey.length),
  (_, recorded) => recorded,
]

/** Has the enclave greet, sends one hostile third frame and returns whether the enclave dropped the connection. */
export async function sendKeyMutant({ client, channelKey }: FuzzTarget): Promise<FuzzOutcome> {
  const socket = connect(client.path)
  socket.on('error', () => {})
  const clientHello = encodeClientHello(randomBytes(32))
  socket.write(frame(clientHello))
  const enclaveHello = await firstFrame(socket)
  if (enclaveHello === undefined) return 'dropped'
  const [now, before] = await Promise.all(
    [enclaveHello, randomBytes(100)].map((hello) =>
      joinChannel(channelKey, helloTranscript(clientHello, hello), client.apiKey),
    ),
  )
  if (now === undefined || before === undefined) throw new Error('no key frames')
  socket.write(frame(pick(keyMutants)(now.frame, before.frame)))
  return outcomeOf(socket, silenceMs)
}

function firstFrame(socket: Socket): Promise<Uint8Array | undefined> {
  const frames = frameSplitter()
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      frames.push(chunk)
      const next = frames.next()
      if (next !== undefined) resolve(Uint8Array.from(next))
    })
    socket.once('close', () => resolve(undefined))
  })
}

/** Shakes hands correctly, sends one hostile record and returns whether the enclave dropped the connection. */
export async function sendAsInsider(target: FuzzTarget, request: Uint8Array): Promise<FuzzOutcome> {
  const channel = await openEnclaveChannel(target.client)
  channel.socket.write(pick(insiders)(channel, request))
  return outcomeOf(channel.socket, silenceMs)
}

/** A well-formed record with one bit of one message flipped: refused or dropped, never signed for another wallet. */
export async function sendMutant(target: FuzzTarget, request: Uint8Array): Promise<FuzzOutcome> {
  const channel = await openEnclaveChannel(target.client)
  channel.socket.write(channel.seal(flipped(request)))
  return outcomeOf(channel.socket, pauseMs)
}

function pick<T>(values: readonly T[]): T {
  const value = values[randomInt(values.length)]
  if (value === undefined) throw new Error('nothing to pick')
  return value
}

function outcomeOf(socket: ReturnType<typeof connect>, limitMs: number): Promise<FuzzOutcome> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      socket.destroy()
      resolve('open')
    }, limitMs)
    socket.on('error', () => {})
    socket.resume()
    socket.once('close', () => {
      clearTimeout(limit)
      resolve('dropped')
    })
  })
}
