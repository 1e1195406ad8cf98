import { createSecretKey, randomBytes } from 'node:crypto'
import { nodeRecordCipher, RecordError, recordOpener, recordSealer } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { sodiumRecordCipher } from './sodium-record-cipher.ts'

const key = Uint8Array.from(randomBytes(32))
const plaintexts = new Uint8Array(4096)
const sodium = sodiumRecordCipher(key, plaintexts)
const node = nodeRecordCipher(createSecretKey(key))

test.each([
  ['libsodium', 'node:crypto', sodium, node],
  ['node:crypto', 'libsodium', node, sodium],
] as const)('a record sealed by %s opens with %s, one after the other', (_from, _to, from, to) => {
  const seal = recordSealer(from, 'client to enclave')
  const open = recordOpener(to, 'client to enclave')
  for (const length of [1, 63, 64, 65, 1000, 4096]) {
    const plaintext = randomBytes(length)
    expect(Buffer.from(open(seal(plaintext).subarray(4)))).toEqual(plaintext)
  }
})

test('a changed, repeated or reflected record does not open and decrypts nothing', () => {
  const record = recordSealer(node, 'client to enclave')(randomBytes(40)).subarray(4)
  plaintexts.fill(0)
  for (let at = 0; at < record.length; at++) {
    const changed = Uint8Array.from(record).with(at, (record[at] ?? 0) ^ 1)
    expect(() => recordOpener(sodium, 'client to enclave')(changed)).toThrow(RecordError)
  }
  expect(() => recordOpener(sodium, 'enclave to client')(record)).toThrow(RecordError)
  expect(plaintexts.every((byte) => byte === 0)).toBe(true)
  const open = recordOpener(sodium, 'client to enclave')
  expect(open(record)).toHaveLength(40)
  expect(() => open(record)).toThrow(RecordError)
})
