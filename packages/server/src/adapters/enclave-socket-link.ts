import type { AttestedEnclave } from '@symbolon/crypto/attestation'
import {
  type EnclaveFacts,
  type EnclaveOp,
  eachMessage,
  type WireReader,
  type WireWriter,
  wipeWriter,
  wireWriter,
  writtenBytes,
} from '@symbolon/crypto/node'
import { EnclaveError, type RingFault } from '../ports/enclave.ts'
import { isRolledBack, rejectAll, settle, settleByFacts, type Waiting } from './enclave-socket-answers.ts'
import { type EnclaveChannel, type EnclaveGreeting, greetEnclave } from './enclave-socket-handshake.ts'
import type { EnclaveSocketInput } from './enclave-socket-input.ts'
import { loadMarksOver } from './enclave-socket-marks.ts'
import { enqueue, type Unsent } from './enclave-socket-queue.ts'

/** A connection to the enclave that heals itself; requests of one tick travel as one record. */
export type EnclaveSocketLink = {
  /**
   * Writes a request at once (its bytes may be wiped afterwards) and resolves with its answer; with that of `fromFacts`, where the enclave has no
   * open ring, and so no channel.
   */
  request<answer>(
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
    fromFacts?: (facts: EnclaveFacts) => answer,
  ): Promise<answer>
  /** What the attestation of the current, else of the last connection proved. */
  attested(): { simulated: boolean; measurements: Record<string, string> }
  close(): Promise<void>
}

/** The connection, the attempt at one, or the pause before the next attempt. */
type Connection = {
  channel: EnclaveChannel | undefined
  attempt: Promise<void> | undefined
  retry: NodeJS.Timeout | undefined
  pauseMs: number
  attested: AttestedEnclave | undefined
  /** Whether the enclave has answered the attempt. */
  isGreeted: boolean
  /** Whether the enclave has answered on this channel: it knows the key. */
  isProven: boolean
  /** Why the last connection was not used: requests until then are refused without another try. */
  refusal: { fault: RingFault; untilMs: number } | undefined
}

type Link = {
  readonly input: EnclaveSocketInput
  readonly waiting: Waiting
  readonly unsent: Unsent
  readonly connection: Connection
  lastId: number
  sweep: NodeJS.Timeout | undefined
  isClosed: boolean
}

const answerLimitMs = 5_000
// The enclave lets it wait for up to 5 s.
const attestLimitMs = 8_000
// How long a request waits for an enclave that says nothing. One that has greeted lives: a busy machine has the time of an answer to connect.
const connectLimitMs = 1_000
const sweepEveryMs = 100
const waitingMax = 4_096
const unsentBytesMax = 512 << 10
const unreadBytesMax = 8 << 20
const pauseFirstMs = 20
const pauseMaxMs = 250

/** Makes the link; it connects on the first request. */
export function enclaveSocketLink(input: EnclaveSocketInput): EnclaveSocketLink {
  const link: Link = {
    input,
    waiting: new Map(),
    unsent: { bytes: wireWriter(32 << 10), ids: [], isFlushPlanned: false },
    connection: {
      channel: undefined,
      attempt: undefined,
      retry: undefined,
      pauseMs: 0,
      attested: undefined,
      isGreeted: false,
      isProven: false,
      refusal: undefined,
    },
    lastId: 0,
    sweep: undefined,
    isClosed: false,
  }
  return {
    request: (op, write, read, fromFacts) => request(link, { op, write, read, fromFacts }),
    attested: () => ({
      simulated: link.connection.attested?.simulated ?? input.policy.simulated,
      measurements: link.connection.attested?.measurements ?? {},
    }),
    close: () => close(link),
  }
}

type Request<answer> = {
  op: EnclaveOp
  write: (writer: WireWriter) => void
  read: (body: WireReader) => answer
  fromFacts: ((facts: EnclaveFacts) => answer) | undefined
}

function request<answer>(link: Link, { op, write, read, fromFacts }: Request<answer>): Promise<answer> {
  // What waits for this turn's end goes now: whoever fills it must not be in the way of others.
  if (link.unsent.bytes.offset > unsentBytesMax) flush(link)
  if (isFull(link)) return Promise.reject(new EnclaveError('unavailable', 'queue full or closed'))
  const { refusal } = link.connection
  if (refusal !== undefined && Date.now() < refusal.untilMs) return Promise.reject(ringError(refusal.fault))
  const id = (link.lastId + 1) >>> 0
  link.lastId = id
  const error = enqueue(link.unsent, id, op, write)
  if (error !== undefined) return Promise.reject(error)
  const nowMs = Date.now()
  const isConnected = link.connection.channel !== undefined
  if (isConnected) planFlush(link)
  else connectSoon(link)
  link.sweep ??= setInterval(() => expire(link), sweepEveryMs).unref()
  return new Promise((resolve, reject) => {
    link.waiting.set(id, {
      resolve: resolve as (answer: unknown) => void,
      reject,
      read,
      fromFacts,
      sinceMs: nowMs,
      deadlineMs: nowMs + (isConnected || link.connection.isGreeted ? answerLimitMs : connectLimitMs),
      answerMs: op === 'attest' ? attestLimitMs : answerLimitMs,
      isSent: false,
    })
  })
}

async function close(link: Link): Promise<void> {
  const { connection, unsent, waiting } = link
  link.isClosed = true
  clearTimeout(connection.retry)
  clearInterval(link.sweep)
  connection.channel?.socket.destroy()
  rejectAll(waiting, () => true, 'closed')
  wipeWriter(unsent.bytes)
  await connection.attempt
}

function isFull({ isClosed, waiting, unsent, connection: { channel } }: Link): boolean {
  if (isClosed || waiting.size >= waitingMax || unsent.bytes.offset > unsentBytesMax) return true
  return channel !== undefined && channel.socket.writableLength > unreadBytesMax
}

// After the poll phase: all requests that this turn of the event loop brought are in the queue by then.
function planFlush(link: Link): void {
  if (link.unsent.isFlushPlanned) return
  link.unsent.isFlushPlanned = true
  setImmediate(flush, link)
}

function flush({ unsent, waiting, connection: { channel } }: Link): void {
  unsent.isFlushPlanned = false
  if (channel === undefined || unsent.ids.length === 0) return
  const nowMs = Date.now()
  for (const id of unsent.ids) {
    const entry = waiting.get(id)
    if (entry === undefined) continue
    entry.isSent = true
    entry.deadlineMs = nowMs + entry.answerMs
  }
  unsent.ids = []
  channel.socket.write(channel.seal(writtenBytes(unsent.bytes)))
  // Requests carry data keys.
  wipeWriter(unsent.bytes)
}

function connectSoon(link: Link): void {
  const { connection, waiting } = link
  if (connection.attempt !== undefined || connection.retry !== undefined || link.isClosed) return
  connection.attempt = connectNow(link).finally(() => {
    connection.attempt = undefined
    connection.isGreeted = false
    if (connection.channel === undefined && waiting.size > 0) retryLater(link)
  })
}

async function connectNow(link: Link): Promise<void> {
  const { path, policy, apiKey, log } = link.input
  try {
    const greeting = await greetEnclave(path, policy)
    link.input.onBoot?.(greeting.attested.publicKey)
    waitOn(link)
    const fault = await ringFault(link, greeting)
    const { facts, attested, socket } = greeting
    if (link.isClosed || fault !== undefined || facts.ringId === null) {
      socket.destroy()
      if (fault !== undefined) refuseRing(link, fault)
      else if (!link.isClosed) useFacts(link, attested, facts)
      return
    }
    const channel = await greeting.join(apiKey)
    link.connection.refusal = undefined
    if (facts.phase === 'loading' && link.input.loadMarks !== undefined)
      await loadMarksOver(channel, link.input.loadMarks)
    if (link.isClosed) socket.destroy()
    else use(link, channel)
  } catch (error) {
    log?.warn({ err: new EnclaveError('unavailable', error) }, 'enclave out of reach')
  }
}

/** What waits gets the time of an answer: the enclave is there. */
function waitOn({ connection, waiting }: Link): void {
  connection.isGreeted = true
  for (const entry of waiting.values())
    entry.deadlineMs = Math.max(entry.deadlineMs, entry.sinceMs + answerLimitMs)
}

/** Asks whether the ring of a new connection is the installation's; the connection is closed where that cannot be said. */
async function ringFault(
  { input }: Link,
  { facts: { ringId, keyVersionA }, socket }: EnclaveGreeting,
): Promise<RingFault | undefined> {
  try {
    const fault = await input.checkRing?.({ ringId, keyVersionA })
    if (socket.destroyed) throw new Error('connection lost in the handshake')
    return fault
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Without a ring an enclave has no manifest, and knows nobody's key: there is nothing but what it says to anyone. */
function useFacts({ connection, waiting }: Link, attested: AttestedEnclave, facts: EnclaveFacts): void {
  connection.attested = attested
  settleByFacts(waiting, facts)
}

function refuseRing({ connection, waiting, unsent, input }: Link, fault: RingFault): void {
  // A first start makes the ring any moment: who asks then, waits as for a connection.
  if (fault.reason === 'ring_not_made') {
    connection.refusal = { fault, untilMs: 0 }
    return
  }
  connection.refusal = { fault, untilMs: Date.now() + pauseMaxMs }
  input.log?.warn({ ...fault }, 'the enclave has another key ring than this installation')
  rejectAll(waiting, () => true, fault.reason, fault)
  unsent.ids = []
  wipeWriter(unsent.bytes)
}

const ringError = (fault: RingFault): EnclaveError =>
  new EnclaveError('unavailable', fault.reason, { ring: fault })

function retryLater(link: Link): void {
  const { connection } = link
  if (connection.retry !== undefined || link.isClosed) return
  connection.retry = setTimeout(() => {
    connection.retry = undefined
    connectSoon(link)
  }, connection.pauseMs)
  connection.pauseMs = Math.min(Math.max(connection.pauseMs * 2, pauseFirstMs), pauseMaxMs)
}

function use(link: Link, channel: EnclaveChannel): void {
  const { connection, waiting } = link
  const { log } = link.input
  connection.channel = channel
  connection.isProven = false
  const isFirst = connection.attested === undefined
  connection.attested = channel.attested
  const { simulated, measurements } = channel.attested
  const { ringId, keyVersionA } = channel.facts
  if (isFirst) log?.info({ simulated, measurements, ringId, keyVersionA }, 'enclave attested')
  const settleOne = (id: number, status: number, body: WireReader) => {
    if (isRolledBack(status)) link.input.onRolledBack?.()
    settle(waiting, id, status, body)
  }
  channel.socket.on('data', (chunk: Uint8Array) => {
    try {
      channel.frames.push(chunk)
      for (let next = channel.frames.next(); next !== undefined; next = channel.frames.next()) {
        const answers = channel.open(next)
        connection.isProven = true
        connection.pauseMs = 0
        eachMessage(answers, settleOne)
      }
    } catch (error) {
      channel.socket.destroy()
      log?.warn({ cause: error instanceof Error ? error.name : 'unknown' }, 'enclave channel broken')
    }
  })
  channel.socket.once('close', () => lose(link, channel))
  flush(link)
}

function lose(link: Link, channel: EnclaveChannel): void {
  const { connection, waiting, input } = link
  if (connection.channel !== channel) return
  connection.channel = undefined
  rejectAll(waiting, (entry) => entry.isSent, 'connection lost')
  if (link.isClosed) return
  if (connection.isProven) {
    connectSoon(link)
    return
  }
  input.log?.warn(
    {},
    'the enclave ended the connection before its first answer: does its manifest name the API key?',
  )
  if (waiting.size > 0) retryLater(link)
}

function expire(link: Link): void {
  const { waiting, unsent, connection } = link
  const nowMs = Date.now()
  rejectAll(waiting, (entry) => entry.deadlineMs <= nowMs, 'time limit', connection.refusal?.fault)
  if (waiting.size > 0) return
  clearInterval(link.sweep)
  link.sweep = undefined
  if (connection.channel === undefined) {
    // Nobody waits for these any more.
    unsent.ids = []
    wipeWriter(unsent.bytes)
  }
}
