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
import { type GroupRests, groupRests } from '../runtime/group-rests.ts'
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
const underWayMaxMs = 5
// What takes longer fills the enclave alone: a second one behind it would only be in the way of the others.
const longMs = 1
// A request of this length takes the enclave less than a turn of another group would: so many of them at a time overtake what waits.
const shortBytes = 1_024
const shortMax = 8
// A request of at most this length, such as an agent's with its policy, counts for at most this much work per KiB, however late a busy
// machine answers it. Otherwise the enclave would wait for requests just when the machine is short of time. A group whose answers take
// longer than a busy machine explains has short requests that are hard work: these count as what they take.
const lightBytes = 8_192
const lightMsPerKib = 0.1
const heavyMs = 5
// What a group's requests take until some of them were answered.
const firstWorkMs = 0.1
const recent = 0.2
// Hardly an accepted request costs the enclave more (bench/results/worst.json; the first one under a long policy costs most): what took longer,
// a busy machine did not give it, or it waited behind another group's.
const workMaxMs = 30
const groupsMax = 1_024
// What a group may have waiting, and all together.
const groupWaitMaxMs = 2_000
const groupWaitingMax = 1_024
const heldBytesMax = 32 << 20
const waitMaxMs = 4_000
const bodyBytes = 1 << 10

/** What waits and what is under way on one connection. */
type Turns = {
  readonly line: FairLine<Held>
  readonly estimates: WorkEstimates
  readonly rests: GroupRests
  isRestAwaited: boolean
  readonly nowMs: () => number
  underWayMs: number
  shortUnderWay: number
  heldBytes: number
}

/**
 * Lets a few milliseconds of work through to the enclave at a time, as the groups' last answers took. Of those that wait, groups get
 * equal shares of its time, so that a request waits for one turn of the others and not for all of theirs.
 */
export function enclaveSocketTurns(
  link: Pick<EnclaveSocketLink, 'request'>,
  nowMs: () => number = () => performance.now(),
): EnclaveSocketTurns {
  const line = fairLine<Held>()
  const turns: Turns = {
    line,
    estimates: workEstimates(nowMs),
    rests: groupRests(nowMs),
    isRestAwaited: false,
    nowMs,
    underWayMs: 0,
    shortUnderWay: 0,
    heldBytes: 0,
  }
  return {
    request(group, op, write, read) {
      turns.rests.saw(group)
      if (turns.underWayMs < underWayMaxMs && line.size === 0 && !turns.rests.isResting(group)) {
        line.pass(group)
        return send(turns, group, write, (counted) => link.request(op, counted, read))
      }
      if (isFull(turns, group))
        return Promise.reject(new EnclaveError('unavailable', 'too many requests wait'))
      return hold(turns, group, write, (copied) => link.request(op, copied, read))
    },
    close() {
      drop(line)
      turns.heldBytes = 0
    },
  }
}

async function send<answer>(
  turns: Turns,
  group: string,
  write: Write,
  startWith: (write: Write) => Promise<answer>,
): Promise<answer> {
  const guessedMs = turns.estimates.of(group)
  const sentMs = turns.nowMs()
  turns.line.charge(group, guessedMs)
  let filledMs = 0
  const counted = (writer: WireWriter) => {
    const from = writer.offset
    write(writer)
    filledMs = filledBy(writer.offset - from, guessedMs)
    turns.underWayMs += filledMs
  }
  // What the enclave did not answer says nothing of the work: after an outage, the group's next requests are not refused for it.
  let isAnswered = true
  try {
    return await startWith(counted)
  } catch (error) {
    isAnswered = !(error instanceof EnclaveError && error.code === 'unavailable')
    throw error
  } finally {
    turns.underWayMs -= filledMs
    if (isAnswered) {
      turns.line.charge(group, turns.estimates.learn(group, sentMs) - guessedMs)
      turns.rests.took(group, turns.estimates.of(group))
    }
    sendNext(turns)
  }
}

/** How much of what the enclave may have under way a request takes up. */
function filledBy(bytes: number, guessedMs: number): number {
  if (bytes <= lightBytes && guessedMs <= heavyMs)
    return Math.min(guessedMs, lightMsPerKib * Math.ceil(bytes / 1_024))
  return guessedMs > longMs ? Math.max(guessedMs, underWayMaxMs) : guessedMs
}

function sendNext(turns: Turns): void {
  while (turns.underWayMs < underWayMaxMs) {
    const first = turns.line.shift((group) => !turns.rests.isResting(group))?.item
    if (first === undefined) break
    turns.heldBytes -= first.body.offset
    if (first.untilMs < turns.nowMs()) first.refuse('waited too long')
    else first.send()
    wipeWriter(first.body)
  }
  if (turns.underWayMs < underWayMaxMs) awaitRested(turns)
}

/** What waits now is of groups that rest. */
function awaitRested(turns: Turns): void {
  if (turns.line.size === 0 || turns.isRestAwaited) return
  turns.isRestAwaited = true
  setTimeout(() => {
    turns.isRestAwaited = false
    sendNext(turns)
  }, turns.rests.nextMs() ?? 0)
}

/** Copies what `write` writes, since the caller wipes its data key at once, and sends it by turns. */
function hold<answer>(
  turns: Turns,
  group: string,
  write: Write,
  startWith: (write: Write) => Promise<answer>,
): Promise<answer> {
  const body = wireWriter(bodyBytes)
  try {
    write(body)
  } catch (error) {
    wipeWriter(body)
    return Promise.reject(new EnclaveError('refused', error))
  }
  const start = () => send(turns, group, (writer) => writeFixed(writer, writtenBytes(body)), startWith)
  if (isPassing(turns, group, body)) return sendPast(turns, body, start)
  turns.heldBytes += body.offset
  return new Promise<answer>((resolve, reject) => {
    turns.line.push(group, {
      body,
      untilMs: turns.nowMs() + waitMaxMs,
      send: () => resolve(start()),
      refuse: (cause) => reject(new EnclaveError('unavailable', cause)),
    })
    sendNext(turns)
  })
}

/** The group has nothing before it in the line, and the request is short. */
const isPassing = ({ line, shortUnderWay }: Turns, group: string, body: WireWriter): boolean =>
  body.offset <= shortBytes && shortUnderWay < shortMax && line.waitingOf(group) === 0

/** Sends what overtakes those that wait. */
async function sendPast<answer>(
  turns: Turns,
  body: WireWriter,
  start: () => Promise<answer>,
): Promise<answer> {
  turns.shortUnderWay++
  try {
    const answer = start()
    wipeWriter(body)
    return await answer
  } finally {
    turns.shortUnderWay--
  }
}

const isFull = ({ line, estimates, heldBytes }: Turns, group: string): boolean =>
  line.waitingOf(group) >= groupWaitingMax ||
  line.waitingOf(group) * estimates.of(group) > groupWaitMaxMs ||
  heldBytes >= heldBytesMax

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
      const tookMs = Math.min(now - Math.max(sentMs, answeredMs), workMaxMs)
      answeredMs = now
      if (workMs.size >= groupsMax && !workMs.has(group)) workMs.clear()
      workMs.set(group, of(group) * (1 - recent) + tookMs * recent)
      return tookMs
    },
  }
}
