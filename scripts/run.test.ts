import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inputsStamp, writeStamp } from './build/build-stamp.ts'
import { programs, programsBuild } from './build/programs.ts'
import { programFile } from './run.ts'

test('a program runs built while that is what its sources make, else from its sources', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'symbolon-run-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const source = path.join(root, programs['api'] ?? '')
  mkdirSync(path.dirname(source), { recursive: true })
  writeFileSync(source, 'first')
  expect(programFile('api', root)).toBe(source)
  mkdirSync(path.join(root, programsBuild.output), { recursive: true })
  expect(programFile('api', root)).toBe(source)
  writeStamp(root, programsBuild, inputsStamp(root, programsBuild))
  expect(programFile('api', root)).toBe(path.join(root, 'dist/programs/api.js'))
  writeFileSync(source, 'other')
  expect(programFile('api', root)).toBe(source)
})

test('a program that there is not is refused by the names of those there are', () => {
  expect(() => programFile('constructor')).toThrow(
    /^There is no program constructor; there are: start, demo, api/,
  )
})
