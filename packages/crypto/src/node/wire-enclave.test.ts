import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { WireError, wireReader, wireWriter, writtenBytes } from './wire.ts'
import {
  readSignAnswer,
  type SignAnswer,
  type SignatureAnswer,
  signaturesMax,
  writeSignAnswer,
} from './wire-enclave.ts'

const one = (): SignatureAnswer => ({ signature: new Uint8Array(randomBytes(64)), recovery: 1 })

function bodyOf(count: number): { answer: SignAnswer; bytes: Uint8Array } {
  const answer: SignAnswer = [one()]
  while (answer.length < count) answer.push(one())
  const writer = wireWriter(65)
  writeSignAnswer(writer, answer)
  return { answer, bytes: writtenBytes(writer) }
}

test.each([1, 2, signaturesMax])('%i signatures are read back in their order', (count) => {
  const { answer, bytes } = bodyOf(count)
  expect(bytes.length).toBe(65 * count)
  expect(readSignAnswer(wireReader(bytes))).toEqual(answer)
})

test('no signature, part of one, and more than there may be are malformed', () => {
  const { bytes } = bodyOf(signaturesMax + 1)
  expect(() => readSignAnswer(wireReader(bytes))).toThrow(WireError)
  for (const length of [0, 1, 64, 66, 129, 131]) {
    expect(() => readSignAnswer(wireReader(bytes, 0, length))).toThrow(WireError)
  }
})
