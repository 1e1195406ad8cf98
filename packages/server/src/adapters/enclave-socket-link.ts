import type { Socket } from 'node:net'
import {
  abandonMessage,
  beginMessage,
  type EnclaveOp,
  eachMessage,
  enclaveOps,
  endMessage,
  recordBytesMax,
  type WireReader,
  type WireWriter,
  wipeWriter,
  wireWriter,
  writtenBytes,
} from '@symbolon/crypto/node'
import { EnclaveError } from '../ports/enclave.ts'
import type { AttestedEnclave } from './attestation/verify-attestation.ts'
import { answerError } from './enclave-socket-answer.ts'
import { type EnclaveChannel, openEnclaveChannel } from './enclave-socket-handshake.ts'
import type { EnclaveSocketInput } from './enclave-socket-input.ts'

/** A connection to the enclave that heals itself; requests of one tick travel as one record. */
export type EnclaveSocketLink = {
  /** Writes a request at once (its bytes may be wiped afterwards) and resolves with its answer. */
  request<answer>(
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
  ): Promise<answer>
  /** What the attestation of the current, else of the last connection proved. */
  attested(): { simulated: boolean; measurements: Record<string, string> }
  close(): Promise<void>
}

type Waiting = {
  resolve(answer: unknown): void
  reject(error: EnclaveError): void
  read(body: WireReader): unknown
  deadlineMs: number
  isSent: boolean
}

const answerLimitMs = 5_000
const connectLimitMs = 1_000
const sweepEveryMs = 100
const waitingMax = 4_096
const unsentBytesMax = 512 << 10
const unreadBytesMax = 8 << 20
const pauseFirstMs = 20
const pauseMaxMs = 250

/** Makes the link; it connects on the first request. */
export function enclaveSocketLink({ path, policy, log }: EnclaveSocketInput): EnclaveSocketLink {
  const waiting = new Map<number, Waiting>()
  const unsent = wireWriter(32 << 10)
  let unsentIds: number[] = []
  let channel: EnclaveChannel | undefined
  let attempt: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let sweep: NodeJS.Timeout | undefined
  let pauseMs = 0
  let lastId = 0
  let isFlushPlanned = false
  let isClosed = false
  let lastAttested: AttestedEnclave | undefined

  return {
    request(op, write, read) {
      if (isClosed || waiting.size >= waitingMax || unsent.offset > unsentBytesMax || isBackedUp()) {
        return Promise.reject(new EnclaveError('unavailable', 'queue full or closed'))
      }
      lastId = (lastId + 1) >>> 0
      const id = lastId
      const at = beginMessage(unsent, id, enclaveOps[op])
      try {
        write(unsent)
      } catch (error) {
        abandonMessage(unsent, at)
        return Promise.reject(new EnclaveError('refused', error))
      }
      if (unsent.offset > recordBytesMax) {
        abandonMessage(unsent, at)
        return Promise.reject(new EnclaveError('unavailable', 'record full'))
      }
      endMessage(unsent, at)
      unsentIds.push(id)
      if (channel === undefined) connectSoon()
      else planFlush()
      sweep ??= setInterval(expire, sweepEveryMs).unref()
      const limitMs = channel === undefined ? connectLimitMs : answerLimitMs
      return new Promise((resolve, reject) => {
        waiting.set(id, {
          resolve: resolve as (answer: unknown) => void,
          reject,
          read,
          deadlineMs: Date.now() + limitMs,
          isSent: false,
        })
      })
    },
    attested: () => ({
      simulated: lastAttested?.simulated ?? policy.simulated,
      measurements: lastAttested?.measurements ?? {},
    }),
    async close() {
      isClosed = true
      clearTimeout(retry)
      clearInterval(sweep)
      channel?.socket.destroy()
      rejectAll(() => true, 'closed')
      wipeWriter(unsent)
      await attempt
    },
  }

  function isBackedUp(): boolean {
    return channel !== undefined && channel.socket.writableLength > unreadBytesMax
  }

  // After the poll phase: all requests that this turn of the event loop brought are in the queue by then.
  function planFlush(): void {
    if (isFlushPlanned) return
    isFlushPlanned = true
    setImmediate(flush)
  }

  function flush(): void {
    isFlushPlanned = false
    if (channel === undefined || unsentIds.length === 0) return
    const deadlineMs = Date.now() + answerLimitMs
    for (const id of unsentIds) {
      const entry = waiting.get(id)
      if (entry === undefined) continue
      entry.isSent = true
      entry.deadlineMs = deadlineMs
    }
    unsentIds = []
    channel.socket.write(channel.seal(writtenBytes(unsent)))
    // Requests carry data keys.
    wipeWriter(unsent)
  }

  function connectSoon(): void {
    if (attempt !== undefined || retry !== undefined || isClosed) return
    attempt = connectNow().finally(() => {
      attempt = undefined
      if (channel === undefined && waiting.size > 0) retryLater()
    })
  }

  async function connectNow(): Promise<void> {
    try {
      const opened = await openEnclaveChannel(path, policy)
      if (isClosed) {
        opened.socket.destroy()
        return
      }
      pauseMs = 0
      use(opened)
    } catch (error) {
      log?.warn({ cause: error instanceof Error ? error.message : 'unknown' }, 'enclave out of reach')
    }
  }

  function retryLater(): void {
    if (retry !== undefined || isClosed) return
    retry = setTimeout(() => {
      retry = undefined
      connectSoon()
    }, pauseMs)
    pauseMs = Math.min(Math.max(pauseMs * 2, pauseFirstMs), pauseMaxMs)
  }

  function use(opened: EnclaveChannel): void {
    channel = opened
    lastAttested = opened.attested
    const { simulated, measurements } = opened.attested
    log?.info({ simulated, measurements }, 'enclave attested')
    opened.socket.on('data', (chunk: Uint8Array) => {
      try {
        opened.frames.push(chunk)
        for (let next = opened.frames.next(); next !== undefined; next = opened.frames.next()) {
          eachMessage(opened.open(next), settle)
        }
      } catch (error) {
        opened.socket.destroy()
        log?.warn({ cause: error instanceof Error ? error.name : 'unknown' }, 'enclave channel broken')
      }
    })
    opened.socket.once('close', () => lose(opened.socket))
    flush()
  }

  function lose(socket: Socket): void {
    if (channel?.socket !== socket) return
    channel = undefined
    rejectAll((entry) => entry.isSent, 'connection lost')
    if (!isClosed) connectSoon()
  }

  function settle(id: number, code: number, body: WireReader): void {
    const entry = waiting.get(id)
    if (entry === undefined) return
    waiting.delete(id)
    const error = answerError(code)
    if (error === undefined) entry.resolve(entry.read(body))
    else entry.reject(error)
  }

  function rejectAll(isMeant: (entry: Waiting) => boolean, cause: string): void {
    for (const [id, entry] of waiting) {
      if (!isMeant(entry)) continue
      waiting.delete(id)
      entry.reject(new EnclaveError('unavailable', cause))
    }
  }

  function expire(): void {
    const nowMs = Date.now()
    rejectAll((entry) => entry.deadlineMs <= nowMs, 'time limit')
    if (waiting.size > 0) return
    clearInterval(sweep)
    sweep = undefined
    if (channel === undefined) {
      // Nobody waits for these any more.
      unsentIds = []
      wipeWriter(unsent)
    }
  }
}
