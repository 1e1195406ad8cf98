import { expect, test } from 'vitest'
import { drain } from './drain.ts'

async function tried(failures: number, triesMax: number) {
  let tries = 0
  const reported: unknown[] = []
  const work = async () => {
    tries++
    if (tries <= failures) throw new Error(`failure ${tries}`)
  }
  await drain(work, { triesMax, pauseMs: 1, onFailure: (error) => reported.push(error) })
  return { tries, reported: reported.map(String) }
}

test('work that fails is tried again until it succeeds', async () => {
  expect(await tried(0, 5)).toEqual({ tries: 1, reported: [] })
  expect(await tried(2, 5)).toEqual({ tries: 3, reported: ['Error: failure 1', 'Error: failure 2'] })
})

test('work that never succeeds is given up, and every failure is reported', async () => {
  const { tries, reported } = await tried(9, 4)
  expect([tries, reported.length]).toEqual([4, 4])
})
