import { createECDH, randomBytes, randomInt } from 'node:crypto'
import { connect } from 'node:net'
import {
  beginMessage,
  type EnclaveOp,
  enclaveOps,
  endMessage,
  frame,
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
import {
  type AttestationPolicy,
  type EnclaveChannel,
  openEnclaveChannel,
} from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import { messageIntent, type TeeWallet } from '@symbolon/testing/enclave'

/** Where to send hostile bytes, and a wallet to make well-formed requests from. */
export type FuzzTarget = { path: string; policy: AttestationPolicy; wallet: TeeWallet }

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
  () => frame(Buffer.concat([Buffer.of(1), randomBytes(randomInt(0, 32))])),
  () => frame(Buffer.concat([Buffer.of(1), randomBytes(randomInt(33, 4000))])),
  () => withLength(33, Buffer.concat([Buffer.of(1), randomBytes(randomInt(0, 31))])),
  () => Buffer.concat([frame(Buffer.concat([Buffer.of(1), randomBytes(32)])), frame(randomBytes(31))]),
  () => Buffer.concat([frame(Buffer.concat([Buffer.of(1), randomBytes(32)])), frame(Buffer.alloc(32))]),
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
  const socket = connect(target.path)
  socket.write(pick(strangers)())
  return outcomeOf(socket, pauseMs)
}

/** Shakes hands correctly, sends one hostile record and returns whether the enclave dropped the connection. */
export async function sendAsInsider(target: FuzzTarget, request: Uint8Array): Promise<FuzzOutcome> {
  const channel = await openEnclaveChannel(target.path, target.policy)
  channel.socket.write(pick(insiders)(channel, request))
  return outcomeOf(channel.socket, silenceMs)
}

/** A well-formed record with one bit of one message flipped: refused or dropped, never signed for another wallet. */
export async function sendMutant(target: FuzzTarget, request: Uint8Array): Promise<FuzzOutcome> {
  const channel = await openEnclaveChannel(target.path, target.policy)
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
