import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { poller } from './poller.ts'

test('a pass that fails is reported and followed by the next one', async () => {
  const errors: unknown[] = []
  let passes = 0
  const polling = poller({
    periodMs: 1,
    async pass() {
      if (++passes === 1) throw new Error('broken')
    },
    onError: (error) => errors.push(error),
  })
  polling.start()
  await expect.poll(() => passes > 2).toBe(true)
  await polling.stop()
  expect(errors).toMatchObject([{ message: 'broken' }])
})

test('stop waits for the pass that is under way, after which there is none', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let [begun, ended] = [0, 0]
  const polling = poller({
    periodMs: 1,
    async pass() {
      begun++
      await released
      ended++
    },
    onError: () => {},
  })
  polling.start()
  await expect.poll(() => begun === 1).toBe(true)
  const stopped = polling.stop()
  release()
  await stopped
  expect([begun, ended]).toEqual([1, 1])
  // Ten periods, in which nothing may happen.
  await sleep(10)
  expect(begun).toBe(1)
})

test('a poller that is started twice runs once', async () => {
  let [running, most, ended] = [0, 0, 0]
  const polling = poller({
    periodMs: 1,
    async pass() {
      most = Math.max(most, ++running)
      // Longer than the period: a second poller would begin meanwhile.
      await sleep(5)
      running--
      ended++
    },
    onError: () => {},
  })
  polling.start()
  polling.start()
  await expect.poll(() => ended > 3).toBe(true)
  await polling.stop()
  expect(most).toBe(1)
})

test('a nudge starts a pass at once, and one during a pass starts the next right after it', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let passes = 0
  const polling = poller({
    periodMs: 60_000,
    pass: () => (++passes === 1 ? released : Promise.resolve()),
    onError: () => {},
  })
  polling.nudge()
  expect(passes).toBe(0)
  polling.start()
  polling.nudge()
  expect(passes).toBe(1)
  polling.nudge()
  polling.nudge()
  expect(passes).toBe(1)
  release()
  await expect.poll(() => passes > 1).toBe(true)
  await polling.stop()
  polling.nudge()
  expect(passes).toBe(2)
})
