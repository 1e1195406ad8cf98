import { type WireWriter, wireWriter, writeFixed, writtenBytes } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { enclaveSocketTurns } from './enclave-socket-turns.ts'

/** A link that answers on request, after the given time, and remembers the first byte of each request. */
function linkOf() {
  const sent: { first: number; answer(tookMs: number): Promise<void> }[] = []
  let clockMs = 0
  const link = {
    request<answer>(_op: unknown, write: (writer: WireWriter) => void, read: (body: never) => answer) {
      const writer = wireWriter(16)
      write(writer)
      const [first = 0] = writtenBytes(writer)
      return new Promise<answer>((resolve) => {
        const answer = async (tookMs: number) => {
          clockMs += tookMs
          resolve(read({} as never))
          await new Promise((done) => setImmediate(done))
        }
        sent.push({ first, answer })
      })
    },
  }
  const turns = enclaveSocketTurns(link, () => clockMs)
  const ask = (group: string, first: number, bytes = 9_000) => {
    const body = new Uint8Array(bytes).fill(first)
    const answer = turns.request(
      group,
      'sign',
      (writer) => writeFixed(writer, body),
      () => first,
    )
    // The caller wipes its data key at once.
    body.fill(0)
    return answer
  }
  return { turns, sent, ask, order: () => sent.map(({ first }) => first) }
}

test('the enclave has 5 ms of work of a connection at a time, and the next one is of another organization', async () => {
  const { sent, ask, order } = linkOf()
  // What its requests take is learned from the first answers.
  for (let i = 0; i < 30; i++) {
    const answer = ask('flood', 1)
    await sent[i]?.answer(20)
    await answer
  }
  const flood = [2, 3, 4, 5].map((first) => ask('flood', first))
  const other = ask('other', 9)
  expect(order().slice(30)).toEqual([2])
  await sent[30]?.answer(20)
  await expect(flood[0]).resolves.toBe(2)
  // The flood’s long work has made it rest.
  expect(order().slice(30)).toEqual([2, 9])
  await sent[31]?.answer(1)
  await expect(other).resolves.toBe(9)
})

test('what takes long is under way alone, and short requests overtake what waits, eight at a time', async () => {
  const { sent, ask, order } = linkOf()
  for (let i = 0; i < 30; i++) {
    const answer = ask('flood', 1)
    await sent[i]?.answer(2)
    await answer
  }
  void ask('flood', 2)
  void ask('flood', 3)
  const short = Array.from({ length: 9 }, () => ask('other', 4, 800))
  expect(order().slice(30)).toEqual([2, 4, 4, 4, 4, 4, 4, 4, 4])
  await sent[31]?.answer(0)
  await expect(short[0]).resolves.toBe(4)
  void ask('third', 5, 800)
  expect(order().slice(39)).toEqual([5])
  void ask('other', 6, 800)
  expect(order().slice(39)).toEqual([5])
})

test.each([
  ['short requests', 800, 4, 50],
  ["agents' requests with their layers", 4_096, 4, 13],
  ['long requests', 9_000, 4, 1],
  ['short requests that are hard work', 4_096, 14, 1],
])('of %s (%i bytes, answered after %i ms), %i are under way at once', async (_, bytes, tookMs, expected) => {
  const { sent, ask, order } = linkOf()
  for (let i = 0; i < 30; i++) {
    const answer = ask('a', 1, bytes)
    await sent[i]?.answer(tookMs)
    await answer
  }
  for (let i = 0; i < 50; i++) void ask('a', 2, bytes)
  expect(order()).toHaveLength(30 + expected)
})

test('fast requests are not held up: fifty of them are under way at once', () => {
  const { ask, order } = linkOf()
  for (let i = 0; i < 50; i++) void ask('a', 1)
  expect(order()).toHaveLength(50)
})

test('an organization that has 1,024 requests waiting is refused more, another is not; closing refuses them all', async () => {
  const { turns, ask } = linkOf()
  const waiting = Array.from({ length: 1_200 }, () => ask('flood', 1).catch((error: unknown) => error))
  await expect(ask('flood', 2)).rejects.toMatchObject({ code: 'unavailable' })
  const other = ask('other', 3)
  turns.close()
  await expect(other).rejects.toMatchObject({ code: 'unavailable' })
  await expect(waiting[500]).resolves.toMatchObject({ code: 'unavailable' })
  void Promise.allSettled(waiting)
})

test('after long work beside others, an organization’s next request waits as long again, and no other’s does', async () => {
  const { sent, ask, order } = linkOf()
  const others = ask('other', 9)
  await sent[0]?.answer(1)
  await others
  for (let i = 1; i <= 30; i++) {
    const answer = ask('flood', 1, 900)
    await sent[i]?.answer(20)
    await answer
  }
  const resting = ask('flood', 2)
  expect(order().slice(31)).toEqual([])
  void ask('other', 3)
  expect(order().slice(31)).toEqual([3])
  await sent[31]?.answer(30)
  expect(order().slice(31)).toEqual([3, 2])
  await sent[32]?.answer(1)
  await expect(resting).resolves.toBe(2)
})
