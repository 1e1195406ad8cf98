import { type Installation, startInstallation } from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endingRound, endings, type RaceSite, raceSite } from './end-races.ts'

const rounds = 10_000

let installation: Installation
let site: RaceSite

beforeAll(async () => {
  installation = await startInstallation()
  site = await raceSite(installation)
})
afterAll(async () => {
  await site?.stop()
  await installation?.stop()
})

describe.each(Object.entries(endings))('after the answer of %s', (_, ending) => {
  test(`nothing is signed any more, ${rounds} times`, async () => {
    let signed = 0
    for (let i = 0; i < rounds; i++) signed += await endingRound(site, ending)
    // It was a race.
    expect(signed).toBeGreaterThan(0)
  }, 3_600_000)
})
