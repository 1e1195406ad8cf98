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
import { fairLine } from '../runtime/fair-line.ts'
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

// What the enclave has of one connection at a time. Decoding takes about as long as a payload is; small requests hardly count.
const costMax = 64 << 10
const freeBytes = 1 << 10
const leastCost = 64
const waitMaxMs = 4_000
const groupWaitingMax = 1_024
const bytesMax = 32 << 20

/** The cost of a request of so many bytes. */
const costOf = (bytes: number): number => Math.max(leastCost, bytes - freeBytes)

/** Lets a few requests at a time through to the enclave. Of those that wait, organizations get equal shares of it. */
export function enclaveSocketTurns(link: Pick<EnclaveSocketLink, 'request'>): EnclaveSocketTurns {
  const line = fairLine<Held>()
  let cost = 0
  let heldBytes = 0

  async function send<answer>(
    group: string,
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
  ): Promise<answer> {
    let own = leastCost
    const answer = link.request(
      op,
      (writer) => {
        const start = writer.offset
        write(writer)
        own = costOf(writer.offset - start)
      },
      read,
    )
    cost += own
    line.charge(group, own)
    try {
      return await answer
    } finally {
      cost -= own
      next()
    }
  }

  function next(): void {
    while (cost < costMax) {
      const first = line.shift()?.item
      if (first === undefined) return
      heldBytes -= first.body.offset
      if (first.untilMs < Date.now()) first.refuse('waited too long')
      else first.send()
      wipeWriter(first.body)
    }
  }

  return {
    request(group, op, write, read) {
      if (cost < costMax && line.size === 0) {
        line.pass(group)
        return send(group, op, write, read)
      }
      if (line.waitingOf(group) >= groupWaitingMax || heldBytes >= bytesMax)
        return Promise.reject(new EnclaveError('unavailable', 'too many requests wait'))
      const body = wireWriter(freeBytes)
      try {
        write(body)
      } catch (error) {
        wipeWriter(body)
        return Promise.reject(new EnclaveError('refused', error))
      }
      heldBytes += body.offset
      return new Promise((resolve, reject) => {
        line.push(group, {
          body,
          untilMs: Date.now() + waitMaxMs,
          send: () =>
            resolve(send(group, op, (writer) => writeFixed(writer, writtenBytes(body)), read)),
          refuse: (cause) => reject(new EnclaveError('unavailable', cause)),
        })
      })
    },
    close() {
      for (let held = line.shift(); held !== undefined; held = line.shift()) {
        held.item.refuse('closed')
        wipeWriter(held.item.body)
      }
      heldBytes = 0
    },
  }
}
