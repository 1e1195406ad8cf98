#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs'
import { InputEnded, lineReader } from './terminal/line-reader.ts'
import { runRescue } from './terminal/run-rescue.ts'

const { stdin, stdout, stderr } = process
const reader = lineReader(stdin, (text) => stderr.write(text))
try {
  process.exitCode = await runRescue(process.argv.slice(2), {
    isInteractive: stdin.isTTY === true,
    reader,
    say: (text) => stderr.write(text),
    print: (text) => stdout.write(text),
    readFile: (path) => readFileSync(path, 'utf8'),
    writeNewFile: (path, text) => writeFileSync(path, text, { mode: 0o600, flag: 'wx' }),
  })
} catch (error) {
  process.exitCode = error instanceof InputEnded ? 130 : 1
  // No details: a stack could show typed input.
  stderr.write('Internal error. Nothing was written.\n')
} finally {
  reader.close()
}
