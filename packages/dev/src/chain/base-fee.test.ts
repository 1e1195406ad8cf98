import { expect, test } from 'vitest'
import { keptBaseFee, nextBaseFee } from './base-fee.ts'

const block = (number: bigint, baseFeePerGas: bigint) => ({
  number,
  baseFeePerGas,
  gasUsed: 0n,
  gasLimit: 30_000_000n,
})

test('a base fee stays where it is while blocks keep it or let it sink by the rule', () => {
  const kept = keptBaseFee(1_000n)
  kept.follow(block(1n, 1_000n))
  kept.follow(block(2n, 1_000n))
  kept.follow(block(3n, nextBaseFee(block(2n, 1_000n))))
  expect(kept.fee()).toBe(1_000n)
})

test('a base fee that somebody put at the node is kept from then on', () => {
  const kept = keptBaseFee(1_000n)
  kept.follow(block(1n, 1_000n))
  kept.follow(block(2n, 7_000n))
  expect(kept.fee()).toBe(7_000n)
})

test('late news of blocks from before a change does not take the change back', () => {
  const kept = keptBaseFee(1_000n)
  kept.follow(block(1n, 1_000n))
  kept.put(9_000n)
  kept.put(9_000n, 4n)
  for (const late of [block(2n, 5_000n), block(3n, 1_000n), block(4n, 9_000n)]) {
    kept.follow(late)
    expect(kept.fee()).toBe(9_000n)
  }
  kept.follow(block(5n, 3_000n))
  expect(kept.fee()).toBe(3_000n)
})

test('the first block after a lost connection is compared with none', () => {
  const kept = keptBaseFee(1_000n)
  kept.follow(block(1n, 1_000n))
  kept.forget()
  kept.follow(block(9n, 400n))
  expect(kept.fee()).toBe(1_000n)
})
