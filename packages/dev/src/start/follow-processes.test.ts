import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '@symbolon/testing/wait'
import { expect, onTestFinished, test } from 'vitest'
import { followProcesses, type ListedProcess, listProcesses } from './follow-processes.ts'

async function child(): Promise<ChildProcess> {
  const started = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void started.kill('SIGKILL'))
  await once(started, 'spawn')
  return started
}

test('a dead process leaves the list, and the next one of its part comes into it', async () => {
  let running: ChildProcess | undefined = await child()
  const parts = [
    { role: 'enclave', pid: () => running?.pid },
    { role: 'chain', pid: () => undefined },
  ] as const
  const first = running.pid
  expect(listProcesses(parts)).toEqual([{ role: 'enclave', pid: first }])
  const lists: ListedProcess[][] = []
  onTestFinished(followProcesses(parts, (list) => lists.push(list)))

  running.kill('SIGKILL')
  await once(running, 'exit')
  await until(() => lists.length === 1)
  running = await child()
  await until(() => lists.length === 2)
  expect(lists).toEqual([[], [{ role: 'enclave', pid: running.pid }]])
})
