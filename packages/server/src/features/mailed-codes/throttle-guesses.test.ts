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
  }
  return { limiter, asked }
}

async function outcome(refused: string | undefined, address: string) {
  const { limiter, asked } = limiterRefusing(refused)
  const rate = Object.assign(() => undefined, { weight: 1 })
  const ctx = { limiter } as unknown as Parameters<typeof throttleGuesses>[0]
  return { result: await throttleGuesses(ctx, { organizationId: 'org', address }, rate), asked }
}

test('a client address that is refused takes nothing from its organization', async () => {
  const { result, asked } = await outcome('recovery-address', '203.0.113.7')
  expect(result).toMatchObject({ retryAfterSeconds: 7 })
  expect(asked).toEqual(['recovery-address 203.0.113.7'])
})

test('guesses of all addresses of one /64 count together, and then against the organization', async () => {
  const [one, other] = await Promise.all(
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2'].map((address) => outcome(undefined, address)),
  )
  expect(one?.result).toBeUndefined()
  expect(one?.asked).toEqual(other?.asked)
  expect(one?.asked[1]).toBe('recovery-organization org')
})
