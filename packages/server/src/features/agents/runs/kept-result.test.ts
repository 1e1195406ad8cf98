import { expect, test } from 'vitest'
import { keptResult as kept } from './kept-result.ts'

const bytesMax = 65_536
const keptResult = (result: unknown) => kept({ state: 'completed', result })
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

test('a result of 64 KiB is kept as it is', () => {
  const result = { text: 'x'.repeat(bytesMax - '{"text":""}'.length) }
  expect(bytesOf(result)).toBe(bytesMax)
  expect(keptResult(result)).toBe(result)
  for (const small of [null, undefined, 0, 'text', [1, { a: true }]]) expect(keptResult(small)).toBe(small)
})

test('a larger one has its long texts cut, and keeps the rest', () => {
  const payment = { nonce: '0x01', amount: '5' }
  const made = keptResult({ status: 200, body: 'x'.repeat(200_000), payment }) as { body: string }
  expect(made).toMatchObject({ status: 200, payment })
  expect(made.body).toMatch(/^x{4096}… \(cut; 200000 characters in all\)$/)
  expect(keptResult('ü'.repeat(70_000))).toMatch(/^ü{4096}…/)
})

test('one that is large by anything else is the beginning of its JSON', () => {
  const result = { list: Array.from({ length: 20_000 }, (_, i) => i) }
  const made = keptResult(result)
  expect(made).toMatchObject({
    is_cut: true,
    bytes: bytesOf(result),
    beginning: expect.stringMatching(/^\{"list":\[0,1,2,/),
  })
  expect(bytesOf(made)).toBeLessThan(bytesMax)
})

test('half of a surrogate pair is not what is left at the cut', () => {
  const made = keptResult(`x${'😀'.repeat(40_000)}`) as string
  expect(made.isWellFormed()).toBe(true)
})

test('of a failure 16 KiB are kept', () => {
  const failed = (characters: number) =>
    kept({ state: 'failed', result: { message: 'why', details: 'x'.repeat(characters) } }) as {
      details: string
    }
  expect(failed(16_000).details).toHaveLength(16_000)
  expect(failed(16_400)).toMatchObject({
    message: 'why',
    details: expect.stringMatching(/… \(cut; 16400 characters in all\)$/),
  })
})
