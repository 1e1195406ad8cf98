import {
  type EnclaveOp,
  type WireReader,
  type WireWriter,
  wipeWriter,
  wireWriter,
  writeFixed,
  writtenBytes,
} from '@symbolon/crypto/node'
import { EnclaveError } from '../ports/enclave.ts'
import { type FairLine, fairLine } from '../runtime/fair-line.ts'
import type { EnclaveSocketLink } from './enclave-socket-link.ts'

/** Requests to the enclave by turns. */
export type EnclaveSocketTurns = {
  /** As the link's `request`, once it is the group's turn; what is written is copied before the call returns. */
  request<answer>(
    group: string,
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
  ): Promise<answer>
  /** Rejects what waits, and wipes it. */
  close(): void
}

/** A request that waits: its bytes, and when there is no sense in it any more. */
type Held = { body: WireWriter; untilMs: number; send(): void; refuse(cause: string): void }

type Write = (writer: WireWriter) => void

// How much work the enclave has of one connection at a time; one request, if that is more.
const underWayMaxMs = 10
// What a group's requests take until some of them were answered.
const firstWorkMs = 0.1
const recent = 0.2
const groupsMax = 1_024
// What a group may have waiting, and all together.
const groupWaitMaxMs = 2_000
const groupWaitingMax = 1_024
const heldBytesMax = 32 << 20
const waitMaxMs = 4_000
const bodyBytes = 1 << 10

/**
 * Lets a few milliseconds of work through to the enclave at a time, as the groups' last answers took. Of those that wait, groups get
 * equal shares of its time, so that a request waits for one turn of the others and not for all of theirs.
 */
export function enclaveSocketTurns(
  link: Pick<EnclaveSocketLink, 'request'>,
  nowMs: () => number = () => performance.now(),
): EnclaveSocketTurns {
  const line = fairLine<Held>()
  const estimates = workEstimates(nowMs)
  let underWayMs = 0
  let heldBytes = 0

  async function send<answer>(group: string, start: () => Promise<answer>): Promise<answer> {
    const guessedMs = estimates.of(group)
    const sentMs = nowMs()
    underWayMs += guessedMs
    line.charge(group, guessedMs)
    // What the enclave did not answer says nothing of the work: after an outage, the group's next requests are not refused for it.
    let isAnswered = true
    try {
      return await start()
    } catch (error) {
      isAnswered = !(error instanceof EnclaveError && error.code === 'unavailable')
      throw error
    } finally {
      underWayMs -= guessedMs
      if (isAnswered) line.charge(group, estimates.learn(group, sentMs) - guessedMs)
      next()
    }
  }

  function next(): void {
    while (underWayMs < underWayMaxMs) {
      const first = line.shift()?.item
      if (first === undefined) return
      heldBytes -= first.body.offset
      if (first.untilMs < nowMs()) first.refuse('waited too long')
      else first.send()
      wipeWriter(first.body)
    }
  }

  /** Copies what `write` writes, since the caller wipes its data key at once, and sends it by turns. */
  function hold<answer>(group: string, write: Write, startWith: (write: Write) => Promise<answer>) {
    const body = wireWriter(bodyBytes)
    try {
      write(body)
    } catch (error) {
      wipeWriter(body)
      return Promise.reject(new EnclaveError('refused', error))
    }
    heldBytes += body.offset
    const start = () => startWith((writer) => writeFixed(writer, writtenBytes(body)))
    return new Promise<answer>((resolve, reject) => {
      const refuse = (cause: string) => reject(new EnclaveError('unavailable', cause))
      line.push(group, { body, untilMs: nowMs() + waitMaxMs, send: () => resolve(send(group, start)), refuse })
    })
  }

  const isFull = (group: string): boolean =>
    line.waitingOf(group) >= groupWaitingMax ||
    line.waitingOf(group) * estimates.of(group) > groupWaitMaxMs ||
    heldBytes >= heldBytesMax

  return {
    request(group, op, write, read) {
      if (underWayMs < underWayMaxMs && line.size === 0) {
        line.pass(group)
        return send(group, () => link.request(op, write, read))
      }
      if (isFull(group)) return Promise.reject(new EnclaveError('unavailable', 'too many requests wait'))
      return hold(group, write, (copied) => link.request(op, copied, read))
    },
    close() {
      drop(line)
      heldBytes = 0
    },
  }
}

/** Refuses and wipes all that waits. */
function drop(line: FairLine<Held>): void {
  for (let held = line.shift(); held !== undefined; held = line.shift()) {
    held.item.refuse('closed')
    wipeWriter(held.item.body)
  }
}

/** What a group's requests take, by its last answers. */
type WorkEstimates = {
  of(group: string): number
  /** Learns from the answer that came just now to a request that was sent at `sentMs`, and returns how long it took. */
  learn(group: string, sentMs: number): number
}

function workEstimates(nowMs: () => number): WorkEstimates {
  const workMs = new Map<string, number>()
  let answeredMs = 0
  const of = (group: string): number => workMs.get(group) ?? firstWorkMs
  return {
    of,
    learn(group, sentMs) {
      const now = nowMs()
      // The enclave answers in order: it was at this one since the one before.
      const tookMs = now - Math.max(sentMs, answeredMs)
      answeredMs = now
      if (workMs.size >= groupsMax && !workMs.has(group)) workMs.clear()
      workMs.set(group, of(group) * (1 - recent) + tookMs * recent)
      return tookMs
    },
  }
}
