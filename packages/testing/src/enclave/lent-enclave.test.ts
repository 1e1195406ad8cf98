import { appendFileSync } from 'node:fs'
import { until } from '@symbolon/testing/wait'
import { expect, test } from 'vitest'
import { lendEnclave } from './lent-enclave.ts'

test('an enclave that was given back as it was is lent again, to one at a time, without the lines of others', async () => {
  const [one, two] = await Promise.all([lendEnclave(), lendEnclave()])
  expect(one.enclave).not.toBe(two.enclave)
  one.enclave.lines.push('something of a test')
  await one.giveBack()
  const again = await lendEnclave()
  expect(again.enclave).toBe(one.enclave)
  expect(again.enclave.lines).toEqual([])
  await Promise.all([again.giveBack(), two.giveBack()])
})

test('one that was killed, stopped or has other files is lent no more', async () => {
  const harms: ((enclave: Awaited<ReturnType<typeof lendEnclave>>['enclave']) => unknown)[] = [
    async ({ supervisor }) => {
      const pid = supervisor.pid() ?? 0
      process.kill(pid, 'SIGKILL')
      await until(() => supervisor.pid() !== pid)
    },
    (enclave) => enclave.stop(),
    ({ ringPath }) => appendFileSync(ringPath, ' '),
  ]
  for (const harm of harms) {
    const harmed = await lendEnclave()
    await harm(harmed.enclave)
    await harmed.giveBack()
    const others = [await lendEnclave(), await lendEnclave(), await lendEnclave()]
    for (const { enclave } of others) expect(enclave).not.toBe(harmed.enclave)
    for (const other of others) await other.giveBack()
  }
})
