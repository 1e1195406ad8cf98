import type { ParsedSource } from './parse-source.ts'
import { isTestFile } from './source-tree.ts'

const linesMax = 400
const vague = /^(utils?|helpers?|commons?|managers?|bases?|misc|shared)$/

/** What a file's name, length and exports owe the house: kebab-case, a telling name, <= 400 lines, a docblock per export. */
export function fileViolations(file: ParsedSource): string[] {
  const found: string[] = []
  const name = file.path.split('/').at(-1) ?? ''
  const stem = name.replace(
    /(\.(routes|store|test|test-d|contract|night|system|bench|fuzz|config|d))*\.[cm]?tsx?$/,
    '',
  )
  // What a script writes nobody has to read from top to bottom.
  const isGenerated = file.path.includes('/src/generated/')
  if (file.lines > linesMax && !isGenerated)
    found.push(`${file.path}: ${file.lines} lines, ${linesMax} at most`)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) found.push(`${file.path}: file names are kebab-case`)
  if (file.path.split('/').some((part) => vague.test(part.replace(/\..*$/, ''))))
    found.push(`${file.path}: the name says nothing about the content`)
  if (file.path.startsWith('packages/') && !isTestFile(file.path))
    for (const { name: symbol, line } of file.undocumented)
      found.push(`${file.path}:${line}: ${symbol} is exported without a docblock`)
  return found
}
