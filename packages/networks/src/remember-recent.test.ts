import { expect, test } from 'vitest'
import { rememberRecent } from './remember-recent.ts'

test('answers are kept by the value of their bytes, until there are too many', () => {
  const asked: number[] = []
  const first = rememberRecent((bytes) => {
    asked.push(bytes[0] ?? -1)
    return { first: bytes[0] }
  }, 2)
  for (const byte of [1, 2, 1, 2]) expect(first(Uint8Array.of(byte))).toEqual({ first: byte })
  expect(asked).toEqual([1, 2])
  for (const byte of [3, 3, 2]) expect(first(Uint8Array.of(byte))).toEqual({ first: byte })
  expect(asked).toEqual([1, 2, 3, 2])
})

test('what is refused is asked again', () => {
  let calls = 0
  const refuse = rememberRecent((): string => {
    calls++
    throw new Error('no')
  }, 2)
  for (let time = 0; time < 3; time++) expect(() => refuse(Uint8Array.of(1))).toThrow('no')
  expect(calls).toBe(3)
})
