import { Visitor } from 'oxc-parser'
import type { ParsedFile } from './parsed-file.ts'
import { isTestFile } from './source-tree.ts'

/**
 * Every use of the environment, the wall clock, weak randomness or the network outside `main`, `config` and `adapters`:
 * whoever needs them takes a port, so that a test can hold them still.
 */
export function ambientViolations(file: ParsedFile): string[] {
  if (!file.path.startsWith('packages/') || isTestFile(file.path) || isRim(file.path)) return []
  return ambientUses(file).map(
    ({ name, line }) =>
      `${file.path}:${line}: ${name}: only main, config and adapters may use it; take a port`,
  )
}

function isRim(file: string): boolean {
  return /^packages\/(dev\/|[^/]+\/src\/(?:adapters\/|(?:process\/)?(?:[a-z-]+-)?(?:main|config)\.ts$))/.test(
    file,
  )
}

/** Each use of an ambient function, such as `Date.now()`; Biome's noRestrictedGlobals has names, no members. */
function ambientUses({ text, program, lineOf }: ParsedFile): { name: string; line: number }[] {
  const uses: { name: string; line: number }[] = []
  new Visitor({
    CallExpression({ callee, start }) {
      const name = text.slice(callee.start, callee.end).replace(/\s/g, '')
      if (/^((globalThis|window|self)\.)?fetch$/.test(name)) uses.push({ name: 'fetch', line: lineOf(start) })
    },
    MemberExpression({ start, end }) {
      const member = text.slice(start, end).replace(/[\s?]/g, '')
      const name = member.replace(/^globalThis\./, '').replace(/\[['"`](\w+)['"`]\]$/, '.$1')
      if (/^(process\.env|Date\.now|Math\.random)$/.test(name)) uses.push({ name, line: lineOf(start) })
    },
    NewExpression({ callee, arguments: { length }, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && length === 0)
        uses.push({ name: 'new Date()', line: lineOf(start) })
    },
  }).visit(program)
  return uses
}
