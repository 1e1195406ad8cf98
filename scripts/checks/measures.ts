/**
 * Counts what the house wants less of, and fails where a count has grown past its limit: long functions, wide dependency
 * records, module state, circles of imports, and the files that one more network, policy field or route touches. A limit
 * only ever falls: whoever lowers a count lowers its limit. Run: `npm run check`, or this file alone; `--list` names the places.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { circles } from './import-circles.ts'
import { longFunctions } from './long-functions.ts'
import { moduleState } from './module-state.ts'
import { type ParsedFile, readParsedTree } from './parsed-file.ts'
import { isTestFile, readSourceTree, type SourceFile } from './source-tree.ts'
import { wideRecords } from './wide-records.ts'

/** One count: its places, as `file:line: what`, and how many of them are allowed. */
export type Measure = { name: string; places: readonly string[]; limit: number }

const functionLinesMax = 60
const recordMembersMax = 6

/** Every measure of a tree, in the order in which they are printed. */
export function measures(tree: readonly ParsedFile[]): Measure[] {
  const files = tree.filter((file) => !file.path.includes('/generated/'))
  const product = files.filter((file) => file.path.startsWith('packages/') && !isTestFile(file.path))
  return [
    {
      name: `functions over ${functionLinesMax} lines`,
      places: longFunctions(files, functionLinesMax),
      limit: 0,
    },
    {
      name: `dependency records over ${recordMembersMax} members`,
      places: wideRecords(product, recordMembersMax),
      limit: 0,
    },
    { name: 'module state', places: moduleState(product), limit: 1 },
    { name: 'circles of imports', places: circles(product), limit: 0 },
    {
      name: 'files that a network touches',
      // The demo needs no line: it signs on the networks that it has an example of.
      places: naming(product, /stellar/i, /^packages\/(networks\/src\/stellar|dev\/src\/demo)\//),
      limit: 2,
    },
    { name: 'files that a policy field touches', places: naming(product, /max_?tx_?count/i), limit: 2 },
    {
      name: 'files that a route touches',
      // One of them is the generator of its worst input.
      places: naming(files, /\bgetUsage\b|'usage\.get'|\busageRoutes\b/),
      limit: 5,
    },
  ]
}

/** The files that name something, outside the folder that is its own. */
function naming(files: readonly SourceFile[], name: RegExp, home?: RegExp): string[] {
  return files
    .filter((file) => name.test(file.text) && home?.test(file.path) !== true)
    .map((file) => file.path)
}

/** Lines of the product: TypeScript and SQL below `packages/`, without tests and what a script writes. */
export function productLines(tree: readonly SourceFile[]): number {
  return tree
    .filter(
      ({ path: file }) => file.startsWith('packages/') && !isTestFile(file) && !file.includes('/generated/'),
    )
    .reduce((sum, file) => sum + file.text.split('\n').length - 1, 0)
}

/** Prints every count, and the places of those past their limit or of all; false where one is past it. */
export function reportMeasures(tree: readonly ParsedFile[], { isList }: { isList: boolean }): boolean {
  let isWithin = true
  for (const { name, places, limit } of measures(tree)) {
    console.log(`${name}: ${places.length} (at most ${limit})`)
    const isTooMany = places.length > limit
    if (isTooMany || isList) for (const place of places) console.log(`  ${place}`)
    if (isTooMany) isWithin = false
  }
  return isWithin
}

if (import.meta.main) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
  console.log(`lines of source: ${productLines(readSourceTree(root, /\.([cm]?tsx?|sql)$/))}`)
  if (!reportMeasures(readParsedTree(root), { isList: process.argv.includes('--list') })) process.exitCode = 1
}
