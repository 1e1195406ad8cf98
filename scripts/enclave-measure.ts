/**
 * Prints what the Nitro hypervisor will measure of an enclave image, as one line of JSON: `{version, pcr0, pcr1, pcr2, pcr8}`. Run:
 * `npm run --silent enclave:measure -- [file]`; the file is `dist/image/symbolon-enclave.eif` where none is named.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { EifError, measureEif, readEif } from '../packages/enclave/src/image/index.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const [file = path.join(root, 'dist/image/symbolon-enclave.eif'), ...more] = process.argv.slice(2)

function fail(message: string, code: number): never {
  process.stderr.write(`enclave:measure: ${message}\n`)
  process.exit(code)
}

function read(): Uint8Array {
  try {
    return readFileSync(file)
  } catch {
    return fail(`${file} cannot be read; npm run enclave:image makes an image.`, 2)
  }
}

if (more.length > 0) fail('Name one image.', 2)
const image = read()
try {
  process.stdout.write(`${JSON.stringify(measureEif(readEif(image)))}\n`)
} catch (error) {
  if (!(error instanceof EifError)) throw error
  fail(`${file}: ${error.message}.`, 1)
}
