#!/usr/bin/env node
import { nodeWorld } from './adapters/node-world.ts'
import { runVerify } from './run-verify.ts'

const { stdout, stderr } = process
try {
  process.exitCode = await runVerify(
    process.argv.slice(2),
    nodeWorld({
      called: 'node verify.js',
      say: (text) => stderr.write(text),
      print: (text) => stdout.write(text),
    }),
  )
} catch (error) {
  process.exitCode = 2
  stderr.write(`Internal error; nothing was verified.\n${error instanceof Error ? error.stack : error}\n`)
}
