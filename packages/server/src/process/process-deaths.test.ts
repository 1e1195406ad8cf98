import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../testing/dying-cluster.ts', import.meta.url))

test('a cluster outlives the death of all its workers at once', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(stdout).toBe('The primary is alive.\n')
}, 120_000)
