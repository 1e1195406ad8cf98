import { expect, test } from 'vitest'
import { formatRing, newRing, parseRing, ringId } from './ring-content.ts'

test('the id of a ring is the thumbprint of its root key, as RFC 8037 appendix A.3 prints it', () => {
  const seed = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url')
  expect(ringId(seed)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('a ring is read as it was written', () => {
  const ring = newRing()
  expect(parseRing(formatRing(ring))).toEqual(ring)
})
