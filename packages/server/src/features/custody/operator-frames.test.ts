import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EnclaveError } from '../../ports/enclave.ts'
import { operatorFrames } from './operator-frames.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const frame = new Uint8Array(9)
const away = () => Promise.reject(new EnclaveError('unavailable'))

test('of frames that strangers send, eight at most are on their way to the enclave', async () => {
  const answers: (() => void)[] = []
  const operator = () => new Promise<Uint8Array>((resolve) => answers.push(() => resolve(frame)))
  const carry = operatorFrames({ sql: database.sql, enclave: { operator, status: away } })
  const carried = Array.from({ length: 8 }, () => carry(frame))
  await expect(carry(frame)).rejects.toMatchObject({ code: 'unavailable' })
  for (const answer of answers) answer()
  expect(await Promise.all(carried)).toEqual(Array(8).fill(frame))
  const next = carry(frame)
  answers.at(-1)?.()
  expect(await next).toEqual(frame)
  expect(answers).toHaveLength(9)
})

test('an order that was executed is answered, although the enclave or the database is away after it', async () => {
  const operator = async () => frame
  const status = async () => {
    throw new Error('connection lost')
  }
  expect(await operatorFrames({ sql: database.sql, enclave: { operator, status } })(frame)).toBe(frame)
})

test('a refusal is one of the caller, an enclave that is away one of ours', async () => {
  const carriedBy = (code: 'invalid_payload' | 'refused' | 'unavailable' | 'key_mismatch') => {
    const operator = () => Promise.reject(new EnclaveError(code))
    return operatorFrames({ sql: database.sql, enclave: { operator, status: away } })(frame)
  }
  expect(await carriedBy('invalid_payload')).toMatchObject({ code: 'invalid_request' })
  expect(await carriedBy('refused')).toMatchObject({ code: 'forbidden' })
  for (const code of ['unavailable', 'key_mismatch'] as const)
    await expect(carriedBy(code)).rejects.toMatchObject({ code })
})
