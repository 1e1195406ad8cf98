import { importEdges } from './import-edges.ts'
import { targetOf } from './import-rules.ts'
import type { ParsedFile } from './parsed-file.ts'

/** Every circle of imports, types included, as its files joined by ` -> `: the strongly connected parts of the graph. */
export function circles(files: readonly ParsedFile[]): string[] {
  const known = new Set(files.map((file) => file.path))
  const graph = new Map(
    files.map((file) => [
      file.path,
      importEdges(file).flatMap(({ specifier }) => {
        const to = specifier === undefined ? undefined : targetOf(file.path, specifier).path
        return to !== undefined && known.has(to) ? [to] : []
      }),
    ]),
  )
  return strongParts(graph).map((part) => part.sort().join(' -> '))
}

/** Tarjan's strongly connected components with more than one member (R. Tarjan, 1972). */
function strongParts(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const open = new Set<string>()
  const parts: string[][] = []
  const visit = (node: string) => {
    const order = index.size
    index.set(node, order)
    low.set(node, order)
    stack.push(node)
    open.add(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (open.has(next)) low.set(node, Math.min(low.get(node) ?? order, low.get(next) ?? order))
    }
    if (low.get(node) !== order) return
    const part = stack.splice(stack.indexOf(node))
    for (const member of part) open.delete(member)
    if (part.length > 1) parts.push(part)
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return parts
}
