import { expect, test } from 'vitest'
import { turnLine, turnsMax } from './turn-line.ts'

const full = new Error('full')

function gates() {
  const open: (() => void)[] = []
  const began: number[] = []
  return {
    open,
    began,
    run: (id: number) => async () => {
      began.push(id)
      await new Promise<void>((resolve) => {
        open[id] = resolve
      })
      return id
    },
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('each request runs when the one before it is over, however that ended', async () => {
  const line = turnLine(() => full)
  const { open, began, run } = gates()
  const first = line(run(0))
  const failing = line(async () => Promise.reject(new Error('no')))
  const third = line(run(2))
  await settled()
  expect(began).toEqual([0])
  open[0]?.()
  await expect(failing).rejects.toThrow('no')
  await settled()
  expect(began).toEqual([0, 2])
  open[2]?.()
  expect(await Promise.all([first, third])).toEqual([0, 2])
})

test('one more than the most fails at once, and there is room again when one is over', async () => {
  const line = turnLine(() => full)
  const { open, run } = gates()
  const waiting = Array.from({ length: turnsMax }, (_, id) => line(run(id)))
  await settled()
  await expect(line(run(99))).rejects.toBe(full)
  open[0]?.()
  await waiting[0]
  const late = line(run(50))
  for (let id = 1; id < turnsMax; id++) {
    await settled()
    open[id]?.()
  }
  await settled()
  open[50]?.()
  expect(await late).toBe(50)
})

test('one that gives up never runs, and those behind it still wait for those before', async () => {
  const line = turnLine(() => full)
  const { open, began, run } = gates()
  const abort = new AbortController()
  const first = line(run(0))
  const given = line(run(1), abort.signal)
  const third = line(run(2))
  abort.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  await settled()
  expect(began).toEqual([0])
  open[0]?.()
  await first
  await settled()
  open[2]?.()
  await third
  expect(began).toEqual([0, 2])
})
