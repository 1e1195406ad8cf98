import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashCode } from './email-code.ts'

test('a hash belongs to one pepper, owner, purpose, salt and code', () => {
  const pepper = createSecretKey(Buffer.alloc(32, 1))
  const owner = { organizationId: 'o', email: 'a@b.test', purpose: 'login' } as const
  const salt = new Uint8Array(16)
  const hashes = [
    hashCode(pepper, owner, salt, '123456'),
    hashCode(createSecretKey(Buffer.alloc(32, 2)), owner, salt, '123456'),
    hashCode(pepper, { ...owner, organizationId: 'p' }, salt, '123456'),
    hashCode(pepper, { ...owner, email: 'b@b.test' }, salt, '123456'),
    hashCode(pepper, { ...owner, purpose: 'recovery' }, salt, '123456'),
    hashCode(pepper, owner, new Uint8Array(16).fill(1), '123456'),
    hashCode(pepper, owner, salt, '123457'),
  ]
  expect(new Set(hashes.map((hash) => Buffer.from(hash).toString('hex'))).size).toBe(hashes.length)
})
