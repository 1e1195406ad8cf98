import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CrashSite, crashRound, crashSite, losses, type Victim, victims } from './crash-rounds.ts'

const rounds = 200
const checkEvery = 20
const backWithinMs = 8_000
let site: CrashSite
beforeAll(async () => {
  site = await crashSite()
})
afterAll(() => site?.stop())

test('200 kills at random moments under load lose nothing, and the service is back within seconds each time', async () => {
  const times: Record<string, number[]> = {}
  for (let round = 1; round <= rounds; round++) {
    const victim: Victim = victims[randomInt(victims.length)] ?? 'api'
    const ms = await crashRound(site, victim)
    times[victim] = [...(times[victim] ?? []), ms]
    expect(ms, `round ${round}: ${victim}`).toBeLessThan(backWithinMs)
    if (round % checkEvery === 0) expect(await losses(site), `after round ${round}`).toEqual([])
  }
  for (const [victim, all] of Object.entries(times)) {
    const sorted = all.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
    process.stdout.write(
      `${victim}: ${all.length} kills, back after ${at(0.5)} ms (median), ${at(1)} ms (worst)\n`,
    )
  }
  process.stdout.write(`${JSON.stringify(Object.fromEntries(site.journal.answers))}\n`)
  expect([...site.journal.answers.keys()].filter((answer) => answer.includes(' 500 '))).toEqual([])
})
