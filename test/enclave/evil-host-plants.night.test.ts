import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { yielded } from './evil-host/attack.ts'
import { attacks, campaigns } from './evil-host/attacks.ts'
import { plantedEnclave } from './evil-host/planted-enclave.ts'
import { plants } from './evil-host/plants.ts'
import { tallyOf } from './evil-host/run.ts'
import { makeWorld, type World } from './evil-host/world.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-plants-'))
const times = 64

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Whether an attack comes through at least once. */
async function succeeds(name: string, world: World): Promise<boolean> {
  const attack = attacks.find((each) => each.name === name)
  if (attack) return ((await tallyOf(attack, world, times)).forged.get(yielded) ?? 0) > 0
  const campaign = campaigns.find((each) => each.name === name)
  if (campaign === undefined) throw new Error(`There is no attack ${name}.`)
  return campaign.run(world, times).then(
    () => false,
    // What the expectation of a test says; any other error says nothing.
    (error: unknown) => error instanceof Error && error.name === 'AssertionError',
  )
}

describe('a host that has everything of the API side, before an enclave', () => {
  test.each(plants)('without $without gets what it asks for', async ({ edits, lets }) => {
    const world = await makeWorld(await plantedEnclave(edits, folder))
    try {
      for (const name of lets) expect(await succeeds(name, world), name).toBe(true)
    } finally {
      await world.stop()
    }
  })

  test('built from the same sources with nothing taken out gets none of it', async () => {
    const world = await makeWorld(await plantedEnclave([], folder))
    try {
      for (const name of new Set(plants.flatMap(({ lets }) => lets)))
        expect(await succeeds(name, world), name).toBe(false)
    } finally {
      await world.stop()
    }
  })
})
