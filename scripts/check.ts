/** All that keeps the house in order, one line per step: format, lint, types, house rules, unused code, OpenAPI, size. Run: `npm run check`. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const steps: [title: string, file: string, ...args: string[]][] = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
  ['imports and house rules', 'scripts/imports.ts'],
  ['measures of the house', 'scripts/checks/measures.ts'],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['OpenAPI up to date', 'scripts/openapi.ts', '--check'],
  ['SDK types up to date', 'scripts/sdk-types.ts', '--check'],
  ['browser bundle', 'scripts/checks/bundle-size.ts'],
  ['SDK size', 'scripts/checks/sdk-size.ts'],
]

function run(file: string, args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, file), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

let failures = 0
for (const [title, file, ...args] of steps) {
  const startedAt = performance.now()
  const { ok, output } = existsSync(path.join(root, file))
    ? await run(file, args)
    : { ok: false, output: `${file} is missing` }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${title.padEnd(24)} ${seconds.padStart(5)} s`)
  if (!ok) {
    failures += 1
    console.log(output.trimEnd())
  }
}
process.exitCode = failures > 0 ? 1 : 0
