import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const programOf = (name: string) => fileURLToPath(new URL(`../testing/${name}.ts`, import.meta.url))

test('a process that cannot be started is started later, and a broken channel to one ends no other', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [programOf('failing-fork')])
  expect(stdout).toBe('A worker serves.\n')
}, 30_000)

test('a start whose processes end before one serves ends with one sentence, and starts no more of them', async () => {
  const run = promisify(execFile)(process.execPath, [programOf('dying-workers')])
  await expect(run).rejects.toMatchObject({
    code: 1,
    // The same end again is no news.
    stdout: 'died: 3 null\n',
    stderr: 'symbolon: The service does not start: 3 of its processes ended before one served.\n',
  })
}, 30_000)
