import { parseSync, Visitor } from 'oxc-parser'
import { lineCounter } from './line-counter.ts'
import type { SourceFile } from './source-tree.ts'

type Span = { start: number; end: number }

/** Every function longer than `linesMax`, as `file:line: n lines`. A callback of `describe` is a list of tests and does not count. */
export function longFunctions(files: readonly SourceFile[], linesMax: number): string[] {
  return files.flatMap((file) => {
    const lineOf = lineCounter(file.text)
    const suites = new Set<number>()
    const found: string[] = []
    const measure = (node: Span) => {
      const lines = lineOf(node.end) - lineOf(node.start) + 1
      if (lines > linesMax && !suites.has(node.start))
        found.push(`${file.path}:${lineOf(node.start)}: ${lines} lines`)
    }
    new Visitor({
      CallExpression(node) {
        const callee = file.text.slice(node.callee.start, node.callee.end)
        if (/^describe\b/.test(callee)) for (const argument of node.arguments) suites.add(argument.start)
      },
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    }).visit(parseSync(file.path, file.text).program)
    return found
  })
}
