import { Visitor } from 'oxc-parser'
import type { ParsedFile } from './parsed-file.ts'

/** One module that a file imports. `specifier` is undefined where it is computed at run time. */
export type ImportEdge = { specifier: string | undefined; typeOnly: boolean; line: number }

/** Every module that a file imports, in whatever syntax: `import`, `export … from`, `require`, `import()`, types included. */
export function importEdges(file: ParsedFile): ImportEdge[] {
  const edges: ImportEdge[] = []
  const add = (source: { start: number; value?: unknown }, typeOnly: boolean) =>
    edges.push({
      specifier: typeof source.value === 'string' ? source.value : undefined,
      typeOnly,
      line: file.lineOf(source.start),
    })

  new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers
      const allTypes =
        named.length > 0 && named.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type')
      add(node.source, node.importKind === 'type' || allTypes)
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return
      const allTypes = node.specifiers.length > 0 && node.specifiers.every((one) => one.exportKind === 'type')
      add(node.source, node.exportKind === 'type' || allTypes)
    },
    ExportAllDeclaration(node) {
      add(node.source, node.exportKind === 'type')
    },
    ImportExpression(node) {
      add(node.source, false)
    },
    TSImportType(node) {
      add(node.source, true)
    },
    TSExternalModuleReference(node) {
      add(node.expression, false)
    },
    CallExpression(node) {
      const callee = file.text.slice(node.callee.start, node.callee.end).replace(/\s/g, '')
      const first = node.arguments[0]
      if (first && /^(require|require\.resolve|import\.meta\.resolve)$/.test(callee)) add(first, false)
    },
  }).visit(file.program)
  return edges
}
