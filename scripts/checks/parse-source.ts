import { parseSync, Visitor } from 'oxc-parser'
import type { SourceFile } from './source-tree.ts'

/** One module that a file reaches for. `specifier` is undefined where it is computed at run time. */
export type ImportEdge = { specifier: string | undefined; typeOnly: boolean; line: number }
/** One use of what only `main`, `config` and `adapters` may touch, such as `Date.now()`. */
export type AmbientUse = { name: string; line: number }
/** What the house rules need to know about a file. */
export type ParsedSource = {
  path: string
  lines: number
  edges: ImportEdge[]
  ambient: AmbientUse[]
  undocumented: { name: string; line: number }[]
}

type Node = { type: string; start: number; end: number }

/** Parses one file with a real parser, so that comments and strings never count. Throws on a syntax error. */
export function parseSource(file: SourceFile): ParsedSource {
  const result = parseSync(file.path, file.text)
  const failure = result.errors[0]
  if (failure) throw new Error(`${file.path}: ${failure.message}`)
  const lineOf = (offset: number) => file.text.slice(0, offset).split('\n').length

  const edges: ImportEdge[] = []
  const ambient: AmbientUse[] = []
  const reach = (source: Node & { value?: unknown }, typeOnly: boolean) =>
    edges.push({
      specifier: typeof source.value === 'string' ? source.value : undefined,
      typeOnly,
      line: lineOf(source.start),
    })

  new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers
      const allTypes =
        named.length > 0 && named.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type')
      reach(node.source, node.importKind === 'type' || allTypes)
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return
      const allTypes = node.specifiers.length > 0 && node.specifiers.every((one) => one.exportKind === 'type')
      reach(node.source, node.exportKind === 'type' || allTypes)
    },
    ExportAllDeclaration(node) {
      reach(node.source, node.exportKind === 'type')
    },
    ImportExpression(node) {
      reach(node.source, false)
    },
    TSImportType(node) {
      reach(node.source, true)
    },
    TSExternalModuleReference(node) {
      reach(node.expression, false)
    },
    CallExpression(node) {
      const callee = file.text.slice(node.callee.start, node.callee.end).replace(/\s/g, '')
      const first = node.arguments[0]
      if (first && /^(require|require\.resolve|import\.meta\.resolve)$/.test(callee)) reach(first, false)
      if (/^((globalThis|window|self)\.)?fetch$/.test(callee))
        ambient.push({ name: 'fetch', line: lineOf(node.start) })
    },
    MemberExpression(node) {
      const text = file.text.slice(node.start, node.end).replace(/[\s?]/g, '')
      const name = text.replace(/^globalThis\./, '').replace(/\[['"`](\w+)['"`]\]$/, '.$1')
      if (/^(process\.env|Date\.now|Math\.random)$/.test(name))
        ambient.push({ name, line: lineOf(node.start) })
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
        ambient.push({ name: 'new Date()', line: lineOf(node.start) })
    },
  }).visit(result.program)

  return {
    path: file.path,
    lines: file.text.split('\n').length - 1,
    edges,
    ambient,
    undocumented: undocumentedExports(),
  }

  function undocumentedExports() {
    const docEnds = result.comments.filter((one) => one.type === 'Block' && one.value.startsWith('*'))
    const bare: { name: string; line: number }[] = []
    const overloads = new Set<string>()
    for (const node of result.program.body) {
      if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) continue
      const declared = node.declaration
      const id =
        'id' in declared ? declared.id : 'declarations' in declared ? declared.declarations[0]?.id : null
      const name = id && 'name' in id ? String(id.name) : declared.type
      const documented = docEnds.some(
        (doc) => file.text.slice(doc.end, node.start).trim() === '' && doc.end <= node.start,
      )
      // What a documented function returns needs no second docblock.
      const isDerived = /^export type \w+ = (Awaited<)?ReturnType</.test(
        file.text.slice(node.start, node.end),
      )
      if (!documented && !isDerived && !overloads.has(name)) bare.push({ name, line: lineOf(node.start) })
      overloads.add(name)
    }
    return bare
  }
}
