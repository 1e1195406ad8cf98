import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rounds } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../testing/dying-cluster.ts', import.meta.url))

// Eight processes are started anew for each.
const deaths = rounds({ suite: 2, night: 6 })

test('a cluster outlives the death of all its workers at once', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(deaths)])
  expect(stdout).toBe('The primary is alive.\n')
}, 120_000)
