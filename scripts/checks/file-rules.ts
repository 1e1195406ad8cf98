import type { ParsedFile } from './parsed-file.ts'
import { isTestFile } from './source-tree.ts'

const linesMax = 400
const vague = /^(utils?|helpers?|commons?|managers?|bases?|misc|shared)$/

/** What a file's name, length and exports owe the house: kebab-case, a telling name, <= 400 lines, a docblock per export. */
export function fileViolations(file: ParsedFile): string[] {
  const found: string[] = []
  const name = file.path.split('/').at(-1) ?? ''
  const stem = name.replace(
    /(\.(routes|store|test|test-d|contract|night|system|bench|fuzz|config|d))*\.[cm]?tsx?$/,
    '',
  )
  // What a script writes nobody has to read from top to bottom.
  const isGenerated = file.path.includes('/src/generated/')
  const lines = file.text.split('\n').length - 1
  if (lines > linesMax && !isGenerated) found.push(`${file.path}: ${lines} lines, ${linesMax} at most`)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) found.push(`${file.path}: file names are kebab-case`)
  if (file.path.split('/').some((part) => vague.test(part.replace(/\..*$/, ''))))
    found.push(`${file.path}: the name says nothing about the content`)
  if (file.path.startsWith('packages/') && !isTestFile(file.path))
    for (const { name: symbol, line } of undocumentedExports(file))
      found.push(`${file.path}:${line}: ${symbol} is exported without a docblock`)
  return found
}

function undocumentedExports({ text, program, comments, lineOf }: ParsedFile) {
  const docEnds = comments.filter((one) => one.type === 'Block' && one.value.startsWith('*'))
  const bare: { name: string; line: number }[] = []
  const overloads = new Set<string>()
  for (const node of program.body) {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) continue
    const declared = node.declaration
    const id =
      'id' in declared ? declared.id : 'declarations' in declared ? declared.declarations[0]?.id : null
    const name = id && 'name' in id ? String(id.name) : declared.type
    const documented = docEnds.some(
      (doc) => doc.end <= node.start && text.slice(doc.end, node.start).trim() === '',
    )
    // What a documented function returns needs no second docblock.
    const isDerived = /^export type \w+ = (Awaited<)?ReturnType</.test(text.slice(node.start, node.end))
    if (!documented && !isDerived && !overloads.has(name)) bare.push({ name, line: lineOf(node.start) })
    overloads.add(name)
  }
  return bare
}
