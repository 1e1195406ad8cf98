import { existsSync } from 'node:fs'
import { makeRingFile } from './file-root.ts'

/** Makes the key ring of an installation: `<file>`. Prints its id; exits with 1 where something is at that place, with 2 without a file. */
const [file, ...rest] = process.argv.slice(2)
if (file === undefined || rest.length > 0) {
  process.stderr.write('Usage: make-ring-main.ts <file>\n')
  process.exitCode = 2
} else if (existsSync(file)) {
  process.stderr.write(`${file} exists already: a key ring is made once and never replaced.\n`)
  process.exitCode = 1
} else process.stdout.write(`${makeRingFile(file)}\n`)
