import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sdkTypes } from './sdk-types/sdk-types.ts'

/**
 * Writes packages/sdk/src/generated from the routes, so that the published declarations need neither zod nor the contract
 * package; with `--check` it only compares, and exits 1 when a file is not what the routes say. Run: `npm run openapi`.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = path.join(root, 'packages/sdk/src/generated')

let stale = 0
mkdirSync(folder, { recursive: true })
for (const [name, source] of Object.entries(sdkTypes())) {
  const file = path.join(folder, name)
  const text = format(name, source)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (read(file) !== text) {
    process.stderr.write(`sdk types: ${name} is out of date; run \`npm run openapi\`\n`)
    stale += 1
  }
}
process.exitCode = stale > 0 ? 1 : 0

function format(name: string, source: string): string {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'format', `--stdin-file-path=packages/sdk/src/generated/${name}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    input: source,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
