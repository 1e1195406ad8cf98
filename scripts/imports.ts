/**
 * Fails where a file breaks a rule that Biome cannot express (who may import whom, who may use the clock, regular expressions of
 * requests, docblocks), or where
 * a measure is past its limit. Run: `npm run check`, or this file alone.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ambientViolations } from './checks/ambient-rules.ts'
import { expressionViolations } from './checks/expression-rules.ts'
import { fileViolations } from './checks/file-rules.ts'
import { importViolations } from './checks/import-rules.ts'
import { reportMeasures } from './checks/measures.ts'
import { type ParsedFile, readParsedTree } from './checks/parsed-file.ts'
import { titleViolations } from './checks/test-titles.ts'

/** All violations below a root, one line each. */
export function houseViolations(root: string): string[] {
  return violations(readParsedTree(root))
}

function violations(tree: readonly ParsedFile[]): string[] {
  return tree.flatMap((file) => [
    ...importViolations(file),
    ...ambientViolations(file),
    ...expressionViolations(file),
    ...fileViolations(file),
    ...titleViolations(file),
  ])
}

if (import.meta.main) {
  const root = process.argv[2] ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
  const tree = readParsedTree(root)
  const found = violations(tree)
  for (const line of found) console.error(line)
  if (!reportMeasures(tree, { isList: false }) || found.length > 0) process.exitCode = 1
}
