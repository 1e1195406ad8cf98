import { expect, test } from 'vitest'
import type { Limiter, RateGrant } from '../../http/limiter.ts'
import { throttleGuesses } from './mailed-codes.ts'

/** A limiter that refuses the buckets of one rate, and the buckets that it was asked for. */
function limiterRefusing(refused?: string): { limiter: Limiter; asked: string[] } {
  const asked: string[] = []
  const limiter: Limiter = {
    async acquire(name, key): Promise<RateGrant> {
      asked.push(`${name} ${key}`)
      return { isGranted: name !== refused, burst: 1, remaining: 0, retrySeconds: 7, resetSeconds: 7 }
    },
    charge: async () => {},
  }
  return { limiter, asked }
}

async function outcome(refused: string | undefined, address: string) {
  const { limiter, asked } = limiterRefusing(refused)
  const rate = Object.assign(() => undefined, { weight: 1 })
  const ctx = { limiter } as unknown as Parameters<typeof throttleGuesses>[0]
  return {
    result: await throttleGuesses(ctx, { organizationId: 'org', userId: 'user', address }, rate),
    asked,
  }
}

test.each([
  ['recovery-user', '203.0.113.7', ['recovery-user user']],
  ['recovery-address', '203.0.113.7', ['recovery-user user', 'recovery-address 203.0.113.7']],
  [
    'recovery-network',
    '2001:db8:7:1::1',
    ['recovery-user user', 'recovery-address 2001:db8:7:1', 'recovery-network 2001:db8:7'],
  ],
])('a guess that %s refuses takes nothing from its organization', async (refused, address, expected) => {
  const { result, asked } = await outcome(refused, address)
  expect(result).toMatchObject({ retryAfterSeconds: 7 })
  expect(asked).toEqual(expected)
})

test('guesses of all addresses of one /64 count together, then those of its /48, then those of the organization', async () => {
  const [one, other, neighbour] = await Promise.all(
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'].map((address) =>
      outcome(undefined, address),
    ),
  )
  expect(one?.result).toBeUndefined()
  expect(one?.asked).toEqual(other?.asked)
  expect(one?.asked[1]).not.toBe(neighbour?.asked[1])
  expect(one?.asked.slice(2)).toEqual(['recovery-network 2001:db8:0', 'recovery-organization org'])
  expect(neighbour?.asked.slice(2)).toEqual(one?.asked.slice(2))
})
