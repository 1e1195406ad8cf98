#!/usr/bin/env node
import { createReadStream, readFileSync } from 'node:fs'
import { runVerify } from './run-verify.ts'

const { stdin, stdout, stderr } = process
try {
  process.exitCode = await runVerify(process.argv.slice(2), {
    say: (text) => stderr.write(text),
    print: (text) => stdout.write(text),
    readFile: (path) => readFileSync(path),
    readStream: (path) => (path === '-' ? stdin : createReadStream(path)),
    fetch: (...call) => fetch(...call),
    nowMs: () => Date.now(),
  })
} catch (error) {
  process.exitCode = 2
  stderr.write(`Internal error; nothing was verified.\n${error instanceof Error ? error.stack : error}\n`)
}
