import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../testing/beating-cluster.ts', import.meta.url))

test('the oldest worker beats for all, the others hear it, and the next one takes its turn when it is killed', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 30_000 })
  expect(stdout.split('\n')).toEqual([
    '2 heard: process-1 process-2 process-3',
    '3 heard: process-1 process-2 process-3',
    'the leader hears itself: false',
    '2 turn: process-3',
    '3 heard: process-2 process-3',
    '',
  ])
})
