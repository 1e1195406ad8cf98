import { type Comment, parseSync } from 'oxc-parser'
import { readSourceTree, type SourceFile } from './source-tree.ts'

type Program = ReturnType<typeof parseSync>['program']

/** One TypeScript file with its syntax tree, which every rule reads; `lineOf` is the line (from 1) of an offset. */
export type ParsedFile = SourceFile & {
  readonly program: Program
  readonly comments: readonly Comment[]
  readonly lineOf: (offset: number) => number
}

/** Every TypeScript file below `root`, parsed once for all rules. */
export function readParsedTree(root: string): ParsedFile[] {
  return readSourceTree(root).map(parseFile)
}

/** Parses one file with a real parser, so that comments and strings never count. Throws on a syntax error. */
export function parseFile(file: SourceFile): ParsedFile {
  const { errors, program, comments } = parseSync(file.path, file.text)
  if (errors[0]) throw new Error(`${file.path}: ${errors[0].message}`)
  return { ...file, program, comments, lineOf: lineCounter(file.text) }
}

function lineCounter(text: string): (offset: number) => number {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (offset) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
