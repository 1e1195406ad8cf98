import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportLines, lineBytesMax } from './export-lines.ts'

async function* parts(bytes: Uint8Array, cuts: readonly number[]) {
  const ends = [...new Set(cuts)].sort((a, b) => a - b).filter((cut) => cut < bytes.length)
  // One buffer for all chunks, as some readers have it.
  const buffer = new Uint8Array(bytes.length)
  for (const [i, end] of [...ends, bytes.length].entries()) {
    const part = bytes.subarray(ends[i - 1] ?? 0, end)
    buffer.set(part)
    yield buffer.subarray(0, part.length)
  }
}

async function linesOf(stream: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = []
  for await (const batch of exportLines({ stream }))
    lines.push(...batch.map((line) => Buffer.from(line).toString()))
  return lines
}

test('lines are the same wherever the chunks end, even where their memory is used again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '\n', '\r') }),
      fc.array(fc.nat(60)),
      async (text, cuts) => {
        const expected = text.split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(await linesOf(parts(Buffer.from(text), cuts))).toEqual(expected)
      },
    ),
  )
})

test('a file without line feeds is not held in memory: a line is cut off where it becomes too long', async () => {
  async function* endless() {
    for (let i = 0; i < 64; i++) yield new Uint8Array(65_536).fill(0x61)
    yield Buffer.from('\nb')
  }
  expect((await linesOf(endless())).map(({ length }) => length)).toEqual([lineBytesMax + 1, 1])
  const whole = new Uint8Array(2 * lineBytesMax).fill(0x61)
  expect((await linesOf(parts(whole, []))).map(({ length }) => length)).toEqual([lineBytesMax + 1])
})

test('a reader that stops cancels the stream', async () => {
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('a\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const _ of exportLines({ stream })) break
  expect(isCancelled).toBe(true)
})
