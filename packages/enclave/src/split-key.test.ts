import { combineShares } from '@symbolon/crypto'
import { combine } from 'shamir-secret-sharing'
import { expect, test } from 'vitest'
import { secureSlots } from './secure-slots.ts'
import { splitKey } from './split-key.ts'

const slots = secureSlots(4)
const [key, slopes, one, two] = [slots.take(), slots.take(), slots.take(), slots.take()]

test('both shares give the key back, in our combination and in an audited library', async () => {
  for (let round = 0; round < 50; round++) {
    key.key.set(crypto.getRandomValues(new Uint8Array(32)))
    splitKey(key, slopes, one, two)
    const out = new Uint8Array(32)
    combineShares(one.share, two.share, out)
    expect(Buffer.from(out)).toEqual(Buffer.from(key.key))
    const theirs = await combine([Uint8Array.from(one.share), Uint8Array.from(two.share)])
    expect(Buffer.from(theirs)).toEqual(Buffer.from(key.key))
    expect([one.share[32], two.share[32]]).toEqual([1, 2])
  }
})

test('two splits of one key have no share in common', () => {
  splitKey(key, slopes, one, two)
  const before = [Buffer.from(one.share), Buffer.from(two.share)]
  splitKey(key, slopes, one, two)
  expect(Buffer.from(one.share)).not.toEqual(before[0])
  expect(Buffer.from(two.share)).not.toEqual(before[1])
})
