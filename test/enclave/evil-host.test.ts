import { afterAll, beforeAll, describe, test } from 'vitest'
import { attacks, campaigns } from './evil-host/attacks.ts'
import { expectNothing } from './evil-host/run.ts'
import { makeWorld, type World } from './evil-host/world.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.stop())

describe('a host that has everything of the API side', () => {
  test.each(attacks)('nothing comes of $name', (attack) => expectNothing(attack, world, 64))
  test.each(campaigns)('nothing comes of $name', ({ run }) => run(world, 40))
})
