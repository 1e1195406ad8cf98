import { Visitor } from 'oxc-parser'
import type { ParsedFile } from './parsed-file.ts'

type Span = { start: number; end: number }

/** Every function longer than `linesMax`, as `file:line: n lines`. A callback of `describe` is a list of tests and does not count. */
export function longFunctions(files: readonly ParsedFile[], linesMax: number): string[] {
  return files.flatMap((file) => {
    const suites = new Set<number>()
    const found: string[] = []
    const measure = (node: Span) => {
      const lines = file.lineOf(node.end) - file.lineOf(node.start) + 1
      if (lines > linesMax && !suites.has(node.start))
        found.push(`${file.path}:${file.lineOf(node.start)}: ${lines} lines`)
    }
    new Visitor({
      CallExpression(node) {
        const callee = file.text.slice(node.callee.start, node.callee.end)
        if (/^describe\b/.test(callee)) for (const argument of node.arguments) suites.add(argument.start)
      },
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    }).visit(file.program)
    return found
  })
}
