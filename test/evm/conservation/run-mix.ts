import type { UserOpStatus } from '@symbolon/api'
import { advanceClock } from '@symbolon/testing/database'
import { expect } from 'vitest'
import { type BookedOperation, expectBalanced, operationsOf } from './books.ts'
import { settled } from './lane-operations.ts'
import { type Lane, type MixSite, monthEndsInMs, startMixSite } from './mix-site.ts'
import { readyAcross, stepNames, steps } from './mix-steps.ts'
import { type Random, seededRandom } from './random.ts'

/** What a mix came to: operations by the state that they ended in. */
export type MixResult = { operations: number; ends: Record<string, number> }

/**
 * Runs at least `operationsMin` operations of every kind over two chains and the end of a month, in an order that follows
 * from the seed, and holds the books against the chains.
 */
export async function runMix({
  seed,
  operationsMin,
}: {
  seed: number
  operationsMin: number
}): Promise<MixResult> {
  const site = await startMixSite()
  try {
    const random = seededRandom(seed)
    // Every kind comes once, in one of the lanes; the rest is chance.
    const plan = random.shuffled(stepNames.filter((name) => name !== 'atOnce'))
    const lanes = site.lanes.map((lane, i) => ({
      lane,
      random: seededRandom(seed + 1 + i),
      plan: ['atOnce' as const, ...plan.filter((_, k) => k % site.lanes.length === i)],
    }))
    await Promise.all(lanes.map((each) => walk(each, each.plan.splice(0, Math.ceil(each.plan.length / 2)))))
    const across = await Promise.all(lanes.map(({ lane, random: own }) => readyAcross(lane, own)))
    await advanceClock(site.app.sql, monthEndsInMs + 1_000)
    await Promise.all(across.map((submit) => submit()))
    await Promise.all(lanes.map((each) => walk(each, each.plan)))
    while ((await operationsOf(site.app)).length < operationsMin)
      await Promise.all(lanes.map((each) => walk(each, [each.random.of(stepNames), 'atOnce'])))
    return await close(site)
  } catch (error) {
    throw new Error(`The mix of seed ${seed} failed`, { cause: error })
  } finally {
    await site.stop()
  }
}

type Walk = { lane: Lane; random: Random }

async function walk({ lane, random }: Walk, names: readonly (keyof typeof steps)[]): Promise<void> {
  for (const name of names) {
    try {
      await steps[name](lane, random)
    } catch (error) {
      throw new Error(`in "${name}" on ${lane.chain.handle}`, { cause: error })
    }
  }
}

/** Waits until everything is at its end, the unsubmitted by their age, and checks the books. */
async function close(site: MixSite): Promise<MixResult> {
  const { app, lanes } = site
  await advanceClock(app.sql, 11 * 60_000)
  await Promise.all(lanes.map((lane) => settled(lane)))
  const end = performance.now() + 10_000
  while ((await operationsOf(app)).some(({ state }) => state === 'building' || state === 'built')) {
    if (performance.now() > end) throw new Error('Unsubmitted operations do not expire.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const operations = await expectBalanced(site)
  await expectReported(site, operations)
  const ends: Record<string, number> = {}
  for (const { state } of operations) ends[state] = (ends[state] ?? 0) + 1
  return { operations: operations.length, ends }
}

/** What users read is what is booked. */
async function expectReported(
  { app, lanes }: MixSite,
  operations: readonly BookedOperation[],
): Promise<void> {
  for (const { owners } of lanes) {
    for (const { user, wallet, chain } of owners) {
      const own = operations.filter((each) => each.wallet === wallet.id && each.chain === chain)
      for (const { hash, state, wei, transaction } of own) {
        const { data } = await app.call<UserOpStatus | null>('GET', `/v1/userop/${hash}`, { ...user })
        if (data === null) {
          expect(state).toBe('expired')
          continue
        }
        expect(data).toMatchObject({
          status: state === 'confirmed' ? 'confirmed' : 'failed',
          transaction_hash: transaction,
          actual_gas_cost_wei: wei?.toString() ?? null,
        })
      }
    }
  }
}
