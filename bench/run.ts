/**
 * Runs the benchmarks one after the other and prints their tables; results go to bench/results/*.json. Without arguments all
 * of them; with names only those (`npm run bench -- sign start`).
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.bench.ts'))
  .sort()
const wanted = process.argv.slice(2)
const chosen = files.filter(
  (file) => wanted.length === 0 || wanted.some((name) => file.endsWith(`${name}.bench.ts`)),
)
if (chosen.length === 0) {
  process.stderr.write(
    `No such benchmark. There are: ${files.map((file) => file.replace(/^.*\/|\.bench\.ts$/g, '')).join(', ')}\n`,
  )
  process.exit(2)
}
for (const file of chosen) {
  process.stdout.write(`\n== ${file}\n`)
  const { status } = spawnSync(process.execPath, [file], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
