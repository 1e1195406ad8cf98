import { type WireWriter, wireWriter, writeFixed, writtenBytes } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { enclaveSocketTurns } from './enclave-socket-turns.ts'

/** A link that answers when it is told to, with the first byte of each request. */
function linkOf() {
  const sent: { first: number; answer(): void }[] = []
  const turns = enclaveSocketTurns({
    request(_op, write, read) {
      const writer = wireWriter(16)
      write(writer)
      const [first = 0] = writtenBytes(writer)
      return new Promise((resolve) => {
        sent.push({ first, answer: () => resolve(read({ bytes: new Uint8Array(0), offset: 0, end: 0 })) })
      })
    },
  })
  const ask = (group: string, first: number, bytes: number) => {
    const body = new Uint8Array(bytes).fill(first)
    const answer = turns.request(group, 'sign', (writer: WireWriter) => writeFixed(writer, body), () => first)
    // The caller wipes its data key at once.
    body.fill(0)
    return answer
  }
  return { turns, sent, ask }
}

test('the enclave has 64 KiB of a connection at a time, and the next one is of another organization', async () => {
  const { sent, ask } = linkOf()
  const answers = [1, 2, 3, 4].map((first) => ask('flood', first, 70_000))
  const other = ask('other', 9, 800)
  expect(sent.map(({ first }) => first)).toEqual([1])
  sent[0]?.answer()
  await answers[0]
  await Promise.resolve()
  expect(sent.map(({ first }) => first)).toEqual([1, 9, 2])
  sent[1]?.answer()
  await expect(other).resolves.toBe(9)
})

test('small requests are not held up: hundreds of them are under way at once', () => {
  const { sent, ask } = linkOf()
  for (let i = 0; i < 500; i++) void ask('a', 1, 900)
  expect(sent).toHaveLength(500)
})

test('an organization that has 1,024 requests waiting is refused more, another is not; closing refuses them all', async () => {
  const { turns, sent, ask } = linkOf()
  const waiting = Array.from({ length: 1_025 }, () => ask('flood', 1, 70_000))
  await expect(ask('flood', 2, 100)).rejects.toMatchObject({ code: 'unavailable' })
  const other = ask('other', 3, 100)
  turns.close()
  await expect(other).rejects.toMatchObject({ code: 'unavailable' })
  await expect(waiting[5]).rejects.toMatchObject({ code: 'unavailable' })
  expect(sent).toHaveLength(1)
  void Promise.allSettled(waiting)
})
