import { Visitor } from 'oxc-parser'
import type { ParsedFile } from './parsed-file.ts'
import { isTestFile } from './source-tree.ts'

type Node = { readonly type: string; readonly start: number; readonly end: number }
type Bindings = {
  /** What each `const` of the file is made of, by name. */
  readonly values: ReadonlyMap<string, readonly Node[]>
  /** The parameters of each function of the file that has a name, in their order. */
  readonly parameters: ReadonlyMap<string, readonly string[]>
  readonly calls: ReadonlyMap<string, readonly (readonly Node[])[]>
  readonly exported: ReadonlySet<string>
}

const served = /^packages\/(?:server|api|policy|networks|enclave)\/src\//
const builtIns = new Set(['BigInt', 'Math', 'Number', 'String', 'undefined'])

/**
 * Regular expressions of what a caller says, in what serves requests: an expression takes any time, and a worst one of each route is measured.
 * Allowed are literals, constants of the file, and parameters of functions that the file alone calls, with such.
 */
export function expressionViolations(file: ParsedFile): string[] {
  if (!served.test(file.path) || isTestFile(file.path)) return []
  const made: (readonly Node[])[] = []
  const note = (callee: Node, given: readonly Node[]) => {
    if (file.text.slice(callee.start, callee.end) === 'RegExp') made.push(given)
  }
  new Visitor({
    NewExpression: (node) => note(node.callee, node.arguments),
    CallExpression: (node) => note(node.callee, node.arguments),
  }).visit(file.program)
  if (made.length === 0) return []
  const bindings = bindingsOf(file)
  return made
    .flat()
    .filter((argument) => !isConstant(argument, bindings, new Set()))
    .map(
      ({ start, end }) =>
        `${file.path}:${file.lineOf(start)}: a regular expression of ${file.text.slice(start, end)}, which is no constant`,
    )
}

function bindingsOf(file: ParsedFile): Bindings {
  const values = new Map<string, Node[]>()
  const parameters = new Map<string, readonly string[]>()
  const calls = new Map<string, (readonly Node[])[]>()
  const exported = new Set<string>()
  const nameOf = (node: Node) => file.text.slice(node.start, node.end).split(/[:=]/)[0]?.trim() ?? ''
  const add = <item>(map: Map<string, item[]>, name: string, item: item) =>
    map.set(name, [...(map.get(name) ?? []), item])
  new Visitor({
    VariableDeclarator({ id, init }) {
      const name = nameOf(id)
      if (init?.type === 'ArrowFunctionExpression') parameters.set(name, init.params.map(nameOf))
      else if (init) add(values, name, init)
    },
    FunctionDeclaration({ id, params }) {
      if (id) parameters.set(id.name, params.map(nameOf))
    },
    CallExpression: ({ callee, arguments: given }) => add(calls, nameOf(callee), given),
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type === 'FunctionDeclaration' && declaration.id) exported.add(declaration.id.name)
      if (declaration?.type === 'VariableDeclaration')
        for (const { id } of declaration.declarations) exported.add(nameOf(id))
    },
  }).visit(file.program)
  return { values, parameters, calls, exported }
}

/** Whether all names in an expression stand for constants; members are those of constants. */
function isConstant(node: Node, bindings: Bindings, seen: ReadonlySet<string>): boolean {
  return namesIn(node).every((name) => {
    if (builtIns.has(name)) return true
    if (seen.has(name)) return false
    const within = new Set([...seen, name])
    const values = bindings.values.get(name)
    if (values !== undefined) return values.every((value) => isConstant(value, bindings, within))
    const owners = [...bindings.parameters].filter(([, parameters]) => parameters.includes(name))
    return (
      owners.length > 0 &&
      owners.every(([owner, parameters]) => {
        const calls = bindings.calls.get(owner) ?? []
        const given = calls.map((call) => call[parameters.indexOf(name)])
        if (bindings.exported.has(owner) || calls.length === 0) return false
        return given.every((one) => one === undefined || isConstant(one, bindings, within))
      })
    )
  })
}

/** The names that an expression reads, without those of members. */
function namesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  const { type } = node
  if (type === 'Identifier' && 'name' in node) return [String(node.name)]
  return Object.entries(node).flatMap(([key, child]) => {
    const isMember = key === 'property' && type === 'MemberExpression' && 'computed' in node && !node.computed
    return isMember || key === 'typeAnnotation' ? [] : namesIn(child)
  })
}
