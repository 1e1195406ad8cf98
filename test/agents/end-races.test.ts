import { type Installation, startInstallation } from '@symbolon/testing/app'
import { rounds } from '@symbolon/testing/properties'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endingRound, endings, type RaceSite, raceSite } from './end-races.ts'

const endingsEach = rounds({ suite: 12, night: 25 })

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
  test(`nothing is signed any more, ${endingsEach} times`, async () => {
    let signed = 0
    for (let i = 0; i < endingsEach; i++) signed += await endingRound(site, ending)
    // It was a race.
    expect(signed).toBeGreaterThan(0)
  }, 60_000)
})
