import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../testing/failing-fork.ts', import.meta.url))

test('a process that cannot be started is started later, and a broken channel to one ends no other', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(stdout).toBe('A worker serves.\n')
}, 30_000)
