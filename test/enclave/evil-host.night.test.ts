import { afterAll, beforeAll, describe, test } from 'vitest'
import { attacks, campaigns } from './evil-host/attacks.ts'
import { expectNothing } from './evil-host/run.ts'
import { makeWorld, type World } from './evil-host/world.ts'

// 10^5 hostile requests in all, at least 1,000 of each attack.
const times = Math.ceil(100_000 / (attacks.length + campaigns.length))
let world: World

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.stop())

describe('a host that has everything of the API side, in the night', () => {
  test.each(attacks)('nothing comes of $name', (attack) => expectNothing(attack, world, times))
  test.each(campaigns)('nothing comes of $name', ({ run }) => run(world, times))
})
