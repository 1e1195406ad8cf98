import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CrashSite, crashRound, crashSite, losses, victims } from './crash-rounds.ts'

let site: CrashSite
beforeAll(async () => {
  site = await crashSite()
})
afterAll(() => site?.stop())

test('a process killed under load comes back by itself, and nothing acknowledged is lost', async () => {
  for (const victim of [...victims, 'database', 'enclave'] as const) await crashRound(site, victim)
  expect(await losses(site)).toEqual([])
  expect(site.journal.wallets.size).toBeGreaterThan(20)
  expect([...site.journal.answers.keys()].filter((answer) => answer.includes(' 500 '))).toEqual([])
}, 60_000)
