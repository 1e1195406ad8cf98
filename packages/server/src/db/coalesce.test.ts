import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

test('calls of one tick are one batch, and each gets its own answer', async () => {
  const batches: number[][] = []
  const call = coalesce<number, string>({
    run: async (inputs) => {
      batches.push(inputs)
      return inputs.map((n) => `answer ${n}`)
    },
    batchMax: 100,
    inFlightMax: 2,
  })
  expect(await Promise.all(range(40).map(call))).toEqual(range(40).map((n) => `answer ${n}`))
  expect(batches).toEqual([range(40)])
})

test('no batch is larger and no more run at once than allowed; what waits goes in order', async () => {
  let running = 0
  let most = 0
  const seen: number[] = []
  const call = coalesce<number, number>({
    run: async (inputs) => {
      most = Math.max(most, ++running)
      expect(inputs.length).toBeLessThanOrEqual(7)
      seen.push(...inputs)
      // As a statement takes its time: what comes meanwhile waits.
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return inputs
    },
    batchMax: 7,
    inFlightMax: 2,
  })
  expect(await Promise.all(range(100).map(call))).toEqual(range(100))
  expect([most, seen]).toEqual([2, range(100)])
})

test('a batch that fails fails its own calls only, and the next ones are served', async () => {
  let count = 0
  const call = coalesce<number, number>({
    run: async (inputs) => {
      if (++count === 2) throw new Error('this one')
      return inputs
    },
    batchMax: 3,
    inFlightMax: 1,
  })
  const settled = await Promise.allSettled(range(9).map(call))
  expect(settled.map(({ status }) => status)).toEqual([
    ...Array(3).fill('fulfilled'),
    ...Array(3).fill('rejected'),
    ...Array(3).fill('fulfilled'),
  ])
  expect(await call(1)).toBe(1)
})

test('a call without an answer fails, and does not wait for ever', async () => {
  const call = coalesce<number, number>({ run: async () => [0], batchMax: 10, inFlightMax: 1 })
  const settled = await Promise.allSettled([call(0), call(1)])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('undefined is an answer', async () => {
  const call = coalesce<number, undefined>({
    run: async (inputs) => inputs.map(() => undefined),
    batchMax: 10,
    inFlightMax: 1,
  })
  expect(await Promise.all([call(0), call(1)])).toEqual([undefined, undefined])
})

test('a lane waits for its own batch alone, and has one at a time', async () => {
  const batches: { inputs: string[]; end: () => void }[] = []
  const call = coalesce<string, string>({
    run: (inputs) =>
      new Promise((resolve) => {
        batches.push({ inputs, end: () => resolve(inputs) })
      }),
    batchMax: 10,
    inFlightMax: 2,
    laneOf: (input) => input[0] ?? '',
  })
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  const seen = () => batches.map(({ inputs }) => inputs.join(' '))
  const first = call('a1')
  await tick()
  const rest = ['a2', 'b1', 'a3', 'b2'].map(call)
  await tick()
  expect(seen()).toEqual(['a1', 'b1 b2'])
  const third = call('c1')
  await tick()
  // No more batches than allowed, whatever the lanes.
  expect(seen()).toHaveLength(2)
  batches[0]?.end()
  await first
  await tick()
  expect(seen()).toEqual(['a1', 'b1 b2', 'a2 a3 c1'])
  for (const { end } of batches) end()
  await expect(Promise.all([...rest, third])).resolves.toEqual(['a2', 'b1', 'a3', 'b2', 'c1'])
})
