import { expect, test } from 'vitest'
import { untilDone } from './until-done.ts'

async function tried(failures: number, triesMax: number) {
  let tries = 0
  const heard: unknown[] = []
  const what = async () => {
    tries++
    if (tries <= failures) throw new Error(`failure ${tries}`)
  }
  await untilDone(what, { triesMax, pauseMs: 1, onFailure: (error) => heard.push(error) })
  return { tries, heard: heard.map(String) }
}

test('what fails is tried again until it is done once', async () => {
  expect(await tried(0, 5)).toEqual({ tries: 1, heard: [] })
  expect(await tried(2, 5)).toEqual({ tries: 3, heard: ['Error: failure 1', 'Error: failure 2'] })
})

test('what never works is given up, and every failure is told', async () => {
  const { tries, heard } = await tried(9, 4)
  expect([tries, heard.length]).toEqual([4, 4])
})
