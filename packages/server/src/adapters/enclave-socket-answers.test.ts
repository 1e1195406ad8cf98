import { expectEnd, WireError, wireReader } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { settle, type Waiting } from './enclave-socket-answers.ts'

test('a request whose answer cannot be read is rejected, and the channel gets the reason', async () => {
  const waiting: Waiting = new Map()
  const answer = new Promise((resolve, reject) => {
    waiting.set(1, {
      resolve,
      reject,
      read: expectEnd,
      sinceMs: 0,
      deadlineMs: 0,
      answerMs: 1_000,
      isSent: true,
    })
  }).catch((error: unknown) => error)
  expect(() => settle(waiting, 1, 0, wireReader(Uint8Array.of(1)))).toThrow(WireError)
  expect(await answer).toMatchObject({ name: 'EnclaveError', code: 'unavailable' })
})
