import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPrivateFile, fileStamp, readPrivateFile, replacePrivateFile } from './key-file-storage.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-file-storage-'))
  path = join(folder, 'keys.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('creating never overwrites: of two creators the first wins', () => {
  createPrivateFile(path, 'first')
  createPrivateFile(path, 'second')
  expect(readFileSync(path, 'utf8')).toBe('first')
  expect(readdirSync(folder)).toEqual(['keys.json'])
})

test('replacing keeps the mode, changes the stamp, and clears what a killed process left', () => {
  createPrivateFile(path, 'one')
  const stamp = fileStamp(path)
  writeFileSync(`${path}.next.left`, 'left')
  replacePrivateFile(path, 'two')
  expect(readPrivateFile(path)).toBe('two')
  expect(fileStamp(path)).not.toBe(stamp)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['keys.json'])
})

test('an absent file has neither text nor stamp', () => {
  expect(readPrivateFile(path)).toBeUndefined()
  expect(fileStamp(path)).toBeUndefined()
})
