import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'coverage', '.git', '.symbolon', 'results'])

/** One file of the tree; `path` is relative to its root, with forward slashes. */
export type SourceFile = { path: string; text: string }

/** Reads every file below `root` whose name fits, TypeScript by default, sorted by path. */
export function readSourceTree(root: string, names = /\.[cm]?tsx?$/): SourceFile[] {
  const found: SourceFile[] = []
  const walk = (folder: string) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(relative)
      } else if (names.test(entry.name)) {
        found.push({ path: relative, text: readFileSync(path.join(root, relative), 'utf8') })
      }
    }
  }
  walk('')
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** True for what only the suite loads: tests, contract suites, fuzzers, benchmarks and their fixtures. */
export function isTestFile(file: string): boolean {
  return (
    /\.(test|test-d|contract|fuzz|bench)\.tsx?$/.test(file) ||
    /^(test|bench|scripts)\/|^packages\/testing\/|^packages\/[^/]+\/(test|src\/testing)(\/|$)/.test(file)
  )
}
