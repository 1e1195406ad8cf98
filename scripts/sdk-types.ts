import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sdkTypes } from './sdk-types/sdk-types.ts'

/**
 * Writes packages/sdk/src/generated from the routes, so that the published declarations need neither zod nor the contract
 * package; with `--check` it only compares, and exits 1 when a file is not what the routes say. Run: `npm run openapi`.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = path.join(root, 'packages/sdk/src/generated')

const isCheck = process.argv.includes('--check')
let stale = 0
mkdirSync(folder, { recursive: true })
for (const [name, text] of formatted(sdkTypes())) {
  const file = path.join(folder, name)
  if (!isCheck) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`sdk types: ${name} is out of date; run \`npm run openapi\`\n`)
    stale += 1
  }
}
process.exitCode = stale > 0 ? 1 : 0

/** All files at once: the formatter takes longer to start than to format. */
function formatted(sources: Record<string, string>): [name: string, text: string][] {
  const fresh = mkdtempSync(path.join(tmpdir(), 'symbolon-sdk-types-'))
  try {
    for (const [name, source] of Object.entries(sources)) writeFileSync(path.join(fresh, name), source)
    const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
    const args = [biome, 'format', `--config-path=${root}`, '--write', fresh]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return Object.keys(sources).map((name) => [name, readFileSync(path.join(fresh, name), 'utf8')])
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
