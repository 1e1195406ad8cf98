import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openapi } from '@symbolon/api/openapi'

/**
 * Writes docs/reference/openapi.json from the routes; with `--check` it only compares, and exits 1 when the file is not
 * what the routes say.
 */
const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url))
const file = `${folder}openapi.json`
const text = `${JSON.stringify(openapi(), null, 2)}\n`

if (process.argv.includes('--check')) {
  if (read() === text) process.stdout.write('openapi: up to date\n')
  else {
    process.stderr.write('openapi: docs/reference/openapi.json is out of date; run `npm run openapi`\n')
    process.exitCode = 1
  }
} else {
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`openapi: wrote docs/reference/openapi.json (${text.length} bytes)\n`)
}

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
