import { once } from 'node:events'
import { expect, test } from 'vitest'
import { spawnChild } from './spawn-child.ts'

test.each([
  ['whose program is missing', '/nonexistent', [], 'ENOENT'],
  // More than Linux takes as one argument: here, `spawn` itself throws.
  ['that the system refuses at once', '/bin/true', ['x'.repeat(1_000_000)], 'E2BIG'],
])('a child %s says so in an `error` event', async (_, file, args, code) => {
  const [error] = await once(spawnChild(file, args, {}), 'error')
  expect(error).toMatchObject({ code })
})
