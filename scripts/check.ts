/**
 * Checks format, lint, types, house rules, unused code, generated files and sizes, one line per step. Steps run side by side
 * and are reported in order; npm has no runner of parallel scripts that keeps their output apart. Run: `npm run check`.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

type Step = [title: string, file: string, ...args: string[]]
type Outcome = { ok: boolean; output: string; seconds: number }

const biome = 'node_modules/@biomejs/biome/bin/biome'
const steps: Step[] = [
  ['format and lint', biome, 'check', '--error-on-warnings', '--config-path=biome.untyped.json', '.'],
  ['floating promises', 'scripts/floating-promises.ts'],
  ['types', 'node_modules/typescript/bin/tsc', '-b'],
  ['house rules and measures', 'scripts/imports.ts'],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['worst inputs', 'scripts/worst-inputs.ts'],
  ['OpenAPI up to date', 'scripts/openapi.ts', '--check'],
  ['SDK types up to date', 'scripts/sdk-types.ts', '--check'],
  ['sizes for browsers', 'node_modules/size-limit/bin.js'],
  ['error pages up to date', 'scripts/error-pages.ts', '--check'],
  ['configuration reference', 'scripts/configuration-reference.ts', '--check'],
  ['policy reference', 'scripts/policy-reference.ts', '--check'],
]

async function run([, file, ...args]: Step): Promise<Outcome> {
  if (!existsSync(path.join(root, file))) return { ok: false, output: `${file} is missing`, seconds: 0 }
  const startedAt = performance.now()
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ok = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  return { ok, output, seconds: (performance.now() - startedAt) / 1000 }
}

/** Starts the steps in their order, as many at once as there are processors. */
function runAll(): Promise<Outcome>[] {
  const outcomes = steps.map(() => Promise.withResolvers<Outcome>())
  const waiting = steps.entries()
  const work = async () => {
    for (const [index, step] of waiting) outcomes[index]?.resolve(await run(step))
  }
  for (let i = 0; i < availableParallelism(); i++) void work()
  return outcomes.map(({ promise }) => promise)
}

let failures = 0
for (const [index, outcome] of runAll().entries()) {
  const { ok, output, seconds } = await outcome
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${steps[index]?.[0].padEnd(24)} ${seconds.toFixed(1).padStart(5)} s`)
  if (ok) continue
  failures += 1
  console.log(output.trimEnd())
}
process.exitCode = failures > 0 ? 1 : 0
