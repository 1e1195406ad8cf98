import { wireReader, wireWriter, writeFixed } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { answerBytesMax, boundedAnswers } from './bounded-answers.ts'

test('an answer longer than a frame holds is an error of its request', () => {
  const answering = (bytes: number) =>
    boundedAnswers((_code, _body, writer) => {
      writeFixed(writer, new Uint8Array(bytes))
      return 'ok'
    })(1, wireReader(new Uint8Array(0)), wireWriter(16))
  expect(answering(answerBytesMax)).toBe('ok')
  expect(answering(answerBytesMax + 1)).toBe('invalid_payload')
})
