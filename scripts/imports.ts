/** Fails when a file breaks a rule of the house that Biome cannot express. Run: `npm run check`, or this file alone. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ambientViolations } from './checks/ambient-rules.ts'
import { fileViolations } from './checks/file-rules.ts'
import { importViolations } from './checks/import-rules.ts'
import { parseSource } from './checks/parse-source.ts'
import { readSourceTree } from './checks/source-tree.ts'
import { titleViolations } from './checks/test-titles.ts'

/** All violations below a root, one line each. */
export function houseViolations(root: string): string[] {
  return readSourceTree(root).flatMap((source) => {
    const file = parseSource(source)
    return [
      ...importViolations(file),
      ...ambientViolations(file),
      ...fileViolations(file),
      ...titleViolations(source),
    ]
  })
}

if (import.meta.main) {
  const root = process.argv[2] ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
  const found = houseViolations(root)
  for (const line of found) console.error(line)
  process.exitCode = found.length > 0 ? 1 : 0
}
