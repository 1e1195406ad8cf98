import { expect, test } from 'vitest'
import { retry } from './retry.ts'

test('the first attempt that is done is the last one, and each is given what the one before it kept', async () => {
  const given: number[] = []
  const result = await retry({ attemptsMax: 5 }, 1, async (kept) => {
    given.push(kept)
    return kept === 4 ? { done: 'here' } : { again: kept * 2 }
  })
  expect(result).toBe('here')
  expect(given).toEqual([1, 2, 4])
})

test('there are as many attempts as are allowed, and none after that', async () => {
  let attempts = 0
  const again = async () => ({ again: ++attempts })
  expect(await retry({ attemptsMax: 3, pauseMs: 1 }, 0, again)).toBeUndefined()
  expect(attempts).toBe(3)
})

test('an error of an attempt is thrown, and ends the attempts', async () => {
  let attempts = 0
  const failing = async () => {
    attempts++
    throw new Error('broken')
  }
  await expect(retry({ attemptsMax: 3 }, undefined, failing)).rejects.toThrow('broken')
  expect(attempts).toBe(1)
})
