import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-folder-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it is made with all above it, for its owner only, and may be there already', () => {
  const deep = path.join(folder, 'a', 'b', 'c')
  makeDataFolder(deep)
  makeDataFolder(deep)
  expect([deep, path.dirname(deep)].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700])
})

test('an impossible folder is refused at once, by the name of its variable', () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  for (const wrong of [
    '/proc/nope',
    '/proc/nope/deeper',
    '/dev/null/x',
    '/dev/null',
    file,
    path.join(file, 'x'),
  ])
    expect(() => makeDataFolder(wrong)).toThrow(
      `SYMBOLON_DATA_DIR is ${wrong}: it must be a folder that can be created and written to`,
    )
})
