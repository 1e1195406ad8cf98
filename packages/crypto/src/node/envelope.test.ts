import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openEnvelope, parseEnvelope, rewrapEnvelope, sealEnvelope } from './envelope.ts'
import type { EnvelopeContext } from './envelope-context.ts'
import { EnvelopeError } from './envelope-error.ts'
import { keyPurposes } from './key-purpose.ts'
import { keyRing } from './key-ring.ts'
import type { WrappedKey } from './wrapped-key.ts'

const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'tee-b',
  shareIndex: 2,
  polynomialVersion: 1,
}
const ring = keyRing({ purpose: 'tee-b', keyId: 'local:tee-b:1', keys: [randomBytes(32), randomBytes(32)] })
const { dataKey, wrappedKey } = ring.generateDataKey(context)
const plaintext = Uint8Array.from(randomBytes(33))
const envelope = sealEnvelope(plaintext, dataKey, wrappedKey, context)
const coded = (code: string) => expect.objectContaining({ name: 'EnvelopeError', code })

const otherContexts: Record<keyof EnvelopeContext, EnvelopeContext> = {
  organizationId: { ...context, organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398e' },
  walletId: { ...context, walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073991' },
  purpose: { ...context, purpose: 'tee-a' },
  shareIndex: { ...context, shareIndex: 1 },
  polynomialVersion: { ...context, polynomialVersion: 2 },
}

test('an envelope opens for its row, into a new array, a given one, and with a key object', () => {
  expect(openEnvelope(envelope, dataKey, context)).toEqual(plaintext)
  expect(openEnvelope(Buffer.from(envelope), createSecretKey(dataKey), { ...context })).toEqual(plaintext)
  const out = new Uint8Array(33)
  expect(openEnvelope(envelope, dataKey, context, out)).toBe(out)
  expect(out).toEqual(plaintext)
})

test('the bytes are laid out as ENVELOPE.md says', () => {
  const hex = Buffer.from(envelope).toString('hex')
  const { iv, ciphertext, tag } = parseEnvelope(envelope)
  const keyId = Buffer.from('local:tee-b:1').toString('hex')
  const parts = [
    '01',
    '02',
    '04',
    '0d',
    keyId,
    '00000002',
    '003c',
    Buffer.from(wrappedKey.wrapped).toString('hex'),
    '0021',
  ]
  expect(hex).toBe(
    parts.join('') + [iv, ciphertext, tag].map((part) => Buffer.from(part).toString('hex')).join(''),
  )
  expect([iv.length, ciphertext.length, tag.length]).toEqual([12, 33, 16])
  expect(parseEnvelope(envelope).wrappedKey).toEqual(wrappedKey)
})

describe('rows cannot be swapped', () => {
  test.each(Object.entries(otherContexts))('another %s opens neither envelope nor data key', (_, other) => {
    expect(() => openEnvelope(envelope, dataKey, other)).toThrow(EnvelopeError)
    expect(() => ring.unwrap(wrappedKey, other)).toThrow(EnvelopeError)
    expect(() => ring.rewrap(wrappedKey, other)).toThrow(EnvelopeError)
  })

  test.each<Partial<EnvelopeContext>>([
    { shareIndex: 256 + 2 },
    { shareIndex: -254 },
    { shareIndex: 2.5 },
    { polynomialVersion: 2 ** 32 + 1 },
    { polynomialVersion: 1.5 },
    { organizationId: context.organizationId.toUpperCase() },
    { walletId: '' },
  ])('a value that would be cut to the right bytes is refused: %j', (part) => {
    expect(() => openEnvelope(envelope, dataKey, { ...context, ...part })).toThrow(coded('invalid_context'))
    expect(() => ring.unwrap(wrappedKey, { ...context, ...part })).toThrow(coded('invalid_context'))
  })

  test('a purpose changed in header and context alike opens neither', () => {
    const moved = Uint8Array.from(envelope)
    moved[2] = 3
    expect(() => openEnvelope(moved, dataKey, otherContexts.purpose)).toThrow(coded('unauthenticated'))
    const teeA = keyRing({ purpose: 'tee-a', keyId: 'local:tee-b:1', keys: [randomBytes(32)] })
    expect(() => teeA.unwrap({ ...wrappedKey, purpose: 'tee-a' }, otherContexts.purpose)).toThrow(
      EnvelopeError,
    )
  })

  const headers: [keyof WrappedKey, WrappedKey][] = [
    ['purpose', { ...wrappedKey, purpose: 'provider' }],
    ['keyId', { ...wrappedKey, keyId: 'local:tee-b:2' }],
    ['keyVersion', { ...wrappedKey, keyVersion: 1 }],
    ['wrapped', ring.generateDataKey(otherContexts.walletId).wrappedKey],
  ]
  test.each(headers)('another %s in the header unwraps nothing', (_, header) => {
    expect(() => ring.unwrap(header, context)).toThrow(EnvelopeError)
  })

  test('a header is authenticated even where the same key has another name, version or purpose', () => {
    const key = randomBytes(32)
    const first = keyRing({ purpose: 'tee-b', keyId: 'a', keys: [key] })
    const wrapped = first.generateDataKey(context).wrappedKey
    const renamed = keyRing({ purpose: 'tee-b', keyId: 'b', keys: [key, key] })
    expect(() => renamed.unwrap({ ...wrapped, keyId: 'b' }, context)).toThrow(coded('unauthenticated'))
    const repeated = keyRing({ purpose: 'tee-b', keyId: 'a', keys: [key, key] })
    expect(() => repeated.unwrap({ ...wrapped, keyVersion: 2 }, context)).toThrow(coded('unauthenticated'))
    const moved = keyRing({ purpose: 'tee-a', keyId: 'a', keys: [key] })
    expect(() => moved.unwrap({ ...wrapped, purpose: 'tee-a' }, otherContexts.purpose)).toThrow(
      coded('unauthenticated'),
    )
  })

  test('every flipped bit of an envelope keeps it shut', () => {
    for (let bit = 0; bit < envelope.length * 8; bit++) {
      const altered = Uint8Array.from(envelope)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => {
        const parsed = parseEnvelope(altered)
        openEnvelope(altered, ring.unwrap(parsed.wrappedKey, context), context)
      }).toThrow(EnvelopeError)
    }
  })

  test('a failed opening leaves no plaintext in the given array', () => {
    const altered = Uint8Array.from(envelope)
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
    const out = new Uint8Array(33).fill(9)
    expect(() => openEnvelope(altered, dataKey, context, out)).toThrow(coded('unauthenticated'))
    expect(out).toEqual(new Uint8Array(33))
  })
})

test('a rewrapped envelope keeps iv, ciphertext and tag, and opens by its new header', () => {
  const keys = [randomBytes(32), randomBytes(32)]
  const before = keyRing({ purpose: 'tee-b', keyId: 'k', keys: keys.slice(0, 1) })
  const after = keyRing({ purpose: 'tee-b', keyId: 'k', keys })
  const made = before.generateDataKey(context)
  const old = sealEnvelope(plaintext, made.dataKey, made.wrappedKey, context)
  const rewrapped = rewrapEnvelope(old, after.rewrap(parseEnvelope(old).wrappedKey, context))
  const [was, is] = [parseEnvelope(old), parseEnvelope(rewrapped)]
  expect([is.iv, is.ciphertext, is.tag]).toEqual([was.iv, was.ciphertext, was.tag])
  expect(is.wrappedKey.keyVersion).toBe(2)
  expect(openEnvelope(rewrapped, after.unwrap(is.wrappedKey, context), context)).toEqual(plaintext)
  expect(() => before.unwrap(is.wrappedKey, context)).toThrow(coded('unknown_key'))
  expect(() => rewrapEnvelope(old, { ...is.wrappedKey, purpose: 'pii' })).toThrow(coded('invalid_context'))
})

test('two seals of one plaintext share neither iv nor ciphertext', () => {
  const again = parseEnvelope(sealEnvelope(plaintext, dataKey, wrappedKey, context))
  expect(again.iv).not.toEqual(parseEnvelope(envelope).iv)
  expect(again.ciphertext).not.toEqual(parseEnvelope(envelope).ciphertext)
})

test('every envelope cut short or made longer is malformed', () => {
  for (let length = 0; length < envelope.length; length++) {
    expect(() => parseEnvelope(envelope.subarray(0, length))).toThrow(coded('malformed'))
  }
  expect(() => parseEnvelope(Buffer.concat([envelope, Buffer.alloc(1)]))).toThrow(coded('malformed'))
})

test('any bytes are either exactly one envelope or an EnvelopeError', () => {
  const noise = fc.uint8Array({ maxLength: 200 })
  const mutated = fc.tuple(fc.nat(envelope.length), fc.nat(20), noise).map(([at, cut, bytes]) => {
    return Uint8Array.from([...envelope.subarray(0, at), ...bytes, ...envelope.subarray(at + cut)])
  })
  const refuses = (action: () => unknown) => {
    try {
      action()
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error
    }
  }
  fc.assert(
    fc.property(fc.oneof(noise, mutated), noise, (bytes, key) => {
      refuses(() => {
        const { wrappedKey: header, iv, ciphertext, tag } = parseEnvelope(bytes)
        expect(Buffer.from(rewrapEnvelope(bytes, header))).toEqual(Buffer.from(bytes))
        expect(Buffer.from(bytes).subarray(-iv.length - ciphertext.length - tag.length)).toEqual(
          Buffer.concat([iv, ciphertext, tag]),
        )
      })
      refuses(() => openEnvelope(bytes, dataKey, context))
      refuses(() => openEnvelope(envelope, key, context, key))
      refuses(() => ring.unwrap({ ...wrappedKey, wrapped: bytes }, context))
    }),
    { numRuns: 3000 },
  )
})

test('any context and header value is either sealed and opened, or an EnvelopeError', () => {
  const id = fc.oneof(fc.uuid(), fc.string(), fc.constant(context.walletId))
  const number = fc.oneof(fc.nat(300), fc.double(), fc.maxSafeInteger(), fc.constant(2 ** 32))
  const contexts = fc.record({
    organizationId: id,
    walletId: id,
    purpose: fc.constantFrom(...keyPurposes),
    shareIndex: number,
    polynomialVersion: number,
  })
  fc.assert(
    fc.property(contexts, fc.string(), number, fc.uint8Array(), (any, keyId, keyVersion, wrapped) => {
      try {
        const header = { purpose: any.purpose, keyId, keyVersion, wrapped }
        const sealed = sealEnvelope(plaintext, dataKey, header, any)
        expect(openEnvelope(sealed, dataKey, any)).toEqual(plaintext)
        expect(parseEnvelope(sealed).wrappedKey).toEqual(header)
      } catch (error) {
        if (!(error instanceof EnvelopeError)) throw error
      }
    }),
    { numRuns: 2000 },
  )
})

test.each([0, 65_536])('a plaintext of %d bytes is refused', (length) => {
  expect(() => sealEnvelope(new Uint8Array(length), dataKey, wrappedKey, context)).toThrow(
    coded('invalid_length'),
  )
})

test.each([1, 65_535])('a plaintext of %d bytes is sealed and opened', (length) => {
  const long = Uint8Array.from(randomBytes(length))
  expect(openEnvelope(sealEnvelope(long, dataKey, wrappedKey, context), dataKey, context)).toEqual(long)
})

test('keys and targets of another length are refused', () => {
  expect(() => openEnvelope(envelope, randomBytes(16), context)).toThrow(coded('invalid_key'))
  expect(() => openEnvelope(envelope, createSecretKey(randomBytes(16)), context)).toThrow(
    coded('invalid_key'),
  )
  expect(() => openEnvelope(envelope, dataKey, context, new Uint8Array(32))).toThrow(coded('invalid_length'))
  expect(() => openEnvelope(envelope, randomBytes(32), context)).toThrow(coded('unauthenticated'))
})
