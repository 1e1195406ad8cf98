import { expect } from 'vitest'
import { type Attack, outcomeOf, yielded } from './attack.ts'
import type { World } from './world.ts'

const together = 32
const controlEach = 8

/** What came of an attack: how often the hostile requests ended how, and the honest ones. */
export type Tally = { forged: Map<string, number>; honest: Map<string, number> }

/** Tries an attack so many times, with an honest request after each eighth. */
export async function tallyOf({ attempt }: Attack, world: World, times: number): Promise<Tally> {
  const tally: Tally = { forged: new Map(), honest: new Map() }
  for (let from = 0; from < times; from += together) {
    const numbers = Array.from({ length: Math.min(together, times - from) }, (_, i) => from + i)
    await Promise.all(
      numbers.map(async (n) => {
        const { forged, honest } = await attempt(world, n)
        count(tally.forged, await outcomeOf(forged()))
        if (n % controlEach === 0) count(tally.honest, await outcomeOf(honest()))
      }),
    )
  }
  return tally
}

const count = (counts: Map<string, number>, outcome: string) =>
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1)

/** Expects that nothing came of an attack but its refusals, and of the honest requests what they ask. */
export async function expectNothing(attack: Attack, world: World, times: number): Promise<void> {
  const { forged, honest } = await tallyOf(attack, world, times)
  expect([...honest.keys()], 'of the honest requests').toEqual([yielded])
  const unexpected = [...forged].filter(([outcome]) => !attack.refusals.includes(outcome))
  expect(unexpected, 'of the hostile requests').toEqual([])
  expect([...forged.values()].reduce((sum, one) => sum + one, 0)).toBe(times)
}
