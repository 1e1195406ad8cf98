import { type Expression, Visitor } from 'oxc-parser'
import type { ParsedFile } from './parsed-file.ts'

const wordsMin = 3
/** What follows `test.` where the call has no title: the next one has it, or none. */
const untitled = /\.\s*(each|for|skipIf|runIf|extend|beforeEach|afterEach|beforeAll|afterAll|describe)$/

/**
 * Every test whose title has fewer than three words, or is not written out where the test stands: it is the name of a
 * guarantee. A placeholder of `each` is one word, whatever the table has for it.
 */
export function titleViolations(file: ParsedFile): string[] {
  if (!/\.(test|contract)\.tsx?$/.test(file.path)) return []
  const found: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title], start }) {
      if (title === undefined || !isTestFunction(callee)) return
      const isMember = callee.type === 'MemberExpression'
      if (isMember && untitled.test(file.text.slice(callee.start, callee.end))) return
      const text = file.text.slice(title.start, title.end)
      if (title.type !== 'TemplateLiteral' && title.type !== 'Literal')
        found.push(`${file.path}:${file.lineOf(start)}: a test's title is written out where the test stands`)
      else if (text.slice(1, -1).trim().split(/\s+/).length < wordsMin)
        found.push(
          `${file.path}:${file.lineOf(start)}: a test's title has at least ${wordsMin} words: ${text}`,
        )
    },
  }).visit(file.program)
  return found
}

/** Whether an expression is `test` or `it`, or made from it, as `test.skipIf(…).each(…)` is. */
function isTestFunction(expression: Expression): boolean {
  switch (expression.type) {
    case 'Identifier':
      return expression.name === 'test' || expression.name === 'it'
    case 'MemberExpression':
      return isTestFunction(expression.object)
    case 'CallExpression':
      return isTestFunction(expression.callee)
    case 'TaggedTemplateExpression':
      return isTestFunction(expression.tag)
    default:
      return false
  }
}
