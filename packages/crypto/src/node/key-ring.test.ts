import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { EnvelopeContext } from './envelope-context.ts'
import { keyRing } from './key-ring.ts'

const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'provider',
  shareIndex: 1,
  polynomialVersion: 0,
}
const keys = [randomBytes(32), randomBytes(32), randomBytes(32)]
const ringOf = (versions: number) =>
  keyRing({ purpose: 'provider', keyId: 'k', keys: keys.slice(0, versions) })
const coded = (code: string) => expect.objectContaining({ name: 'EnvelopeError', code })

test('new keys go under the newest version and every older version still unwraps', () => {
  for (const versions of [1, 2, 3]) {
    const { dataKey, wrappedKey } = ringOf(versions).generateDataKey(context)
    expect(wrappedKey).toMatchObject({ purpose: 'provider', keyId: 'k', keyVersion: versions })
    expect(ringOf(3).unwrap(wrappedKey, context)).toEqual(dataKey)
  }
  expect(ringOf(3).version).toBe(3)
})

test('rewrapping moves the same data key to the newest version', () => {
  const { dataKey, wrappedKey } = ringOf(1).generateDataKey(context)
  const rewrapped = ringOf(3).rewrap(wrappedKey, context)
  expect(rewrapped.keyVersion).toBe(3)
  expect(rewrapped.wrapped).not.toEqual(wrappedKey.wrapped)
  expect(ringOf(3).unwrap(rewrapped, context)).toEqual(dataKey)
})

test('a version that is not in the ring is unknown, whatever its number', () => {
  const { wrappedKey } = ringOf(3).generateDataKey(context)
  for (const keyVersion of [3, 0, -1, 0.5, Number.NaN, 2 ** 32]) {
    expect(() => ringOf(2).unwrap({ ...wrappedKey, keyVersion }, context)).toThrow(coded('unknown_key'))
  }
})

test('a key of another ring or purpose is unknown', () => {
  const { wrappedKey } = ringOf(1).generateDataKey(context)
  expect(() => ringOf(1).unwrap({ ...wrappedKey, keyId: 'other' }, context)).toThrow(coded('unknown_key'))
  expect(() => ringOf(1).unwrap({ ...wrappedKey, purpose: 'pii' }, context)).toThrow(coded('unknown_key'))
})

test('data keys are never the same twice', () => {
  const made = new Set(Array.from({ length: 100 }, () => ringOf(1).generateDataKey(context).dataKey.join()))
  expect(made.size).toBe(100)
})

test('a ring shows no key when it is inspected', () => {
  const shown = inspect(ringOf(3), { showHidden: true, getters: true, depth: null })
  for (const key of keys) expect(shown).not.toContain(key.toString('hex').slice(0, 8))
  expect(JSON.stringify(ringOf(3))).toBe('{"keyId":"k","version":3}')
})

test('a ring without keys, or with keys that are not 32 bytes, cannot be made', () => {
  expect(() => keyRing({ purpose: 'pii', keyId: 'k', keys: [] })).toThrow(coded('invalid_key'))
  expect(() => keyRing({ purpose: 'pii', keyId: 'k', keys: [randomBytes(31)] })).toThrow(coded('invalid_key'))
})
