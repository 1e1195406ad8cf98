import path from 'node:path'
import { type ImportEdge, importEdges } from './import-edges.ts'
import type { ParsedFile } from './parsed-file.ts'
import { serverViolation } from './server-rules.ts'
import { isTestFile } from './source-tree.ts'

/** What each package may import of ours. `type:` allows its types only, `name/entry` that entry of it alone. */
const allowed: Record<string, readonly string[]> = {
  api: ['networks/names', 'policy/fields', 'policy/reasons'],
  crypto: [],
  networks: ['crypto'],
  policy: ['type:networks'],
  enclave: ['crypto', 'networks', 'policy'],
  server: ['api', 'crypto', 'networks', 'type:policy'],
  iframe: ['crypto', 'networks'],
  sdk: ['type:api', 'type:iframe', 'iframe/turn-line', 'crypto/attestation'],
  portal: ['sdk', 'networks/names', 'policy/fields', 'policy/reasons'],
  rescue: ['crypto', 'networks'],
  verify: ['sdk'],
  cli: ['api', 'server/operator', 'verify/command'],
  dev: ['api', 'crypto', 'networks', 'policy', 'enclave', 'server', 'iframe', 'sdk', 'portal'],
}
/** Plain data that packages may import which may import nothing else of theirs: it imports nothing but other plain data. */
const plainData = new Set([
  'packages/networks/src/names.ts',
  'packages/policy/src/policy-field-row.ts',
  'packages/policy/src/fields.ts',
  'packages/policy/src/reasons.ts',
])
/** Packages that run in a browser: nothing of Node, apart from what is below `src/node/`. */
const universal = new Set(['api', 'crypto', 'networks', 'policy', 'iframe', 'sdk', 'portal'])

/** Where an import leads: its package and path where it is ours. */
export type Target = { package?: string; path?: string; byName: boolean; isBuiltin: boolean }

/** Every import of the file that crosses a boundary of the house, as `file:line: specifier: reason`. */
export function importViolations(file: ParsedFile): string[] {
  return importEdges(file).flatMap((edge) => {
    const reason = violation(file.path, edge)
    return reason === undefined
      ? []
      : [`${file.path}:${edge.line}: ${edge.specifier ?? 'import(…)'}: ${reason}`]
  })
}

function violation(from: string, edge: ImportEdge): string | undefined {
  const isTesting = edge.specifier !== undefined && targetOf(from, edge.specifier).package === 'testing'
  if (isTesting && !mayImportTesting(from)) return 'only tests and benchmarks import @symbolon/testing'
  const own = /^packages\/([^/]+)\//.exec(from)?.[1]
  if (isTestFile(from))
    return isDeep(from, own, edge)
      ? 'enter another package by an entry; add what tests need to its src/testing/'
      : undefined
  if (own === undefined) return undefined
  if (edge.specifier === undefined)
    return own === 'dev' ? undefined : 'a computed import escapes the import rules; name the module'
  const target = targetOf(from, edge.specifier)
  if (plainData.has(from)) return plainData.has(target.path ?? '') ? undefined : 'plain data imports nothing'

  if (universal.has(own) && !isNodeFolder(from)) {
    if (target.isBuiltin && !edge.typeOnly)
      return `${own} runs in a browser too, where Node's modules do not exist`
    if (/^packages\/crypto\/src\/node\b/.test(target.path ?? '') && !edge.typeOnly)
      return 'code that runs in a browser does not reach the Node half of crypto'
  }
  if (target.package !== undefined && target.package !== own) {
    if (!target.byName) return 'another package is entered by its name, not by its files'
    const list = allowed[own] ?? []
    const mayType = list.includes(`type:${target.package}`)
    const entry = edge.specifier.replace('@symbolon/', '')
    if (mayType && !edge.typeOnly && !list.includes(entry))
      return `${own} takes only types from ${target.package}`
    if (!mayType && !list.includes(target.package) && !list.includes(entry))
      return `${own} must not import ${target.package}: look down, never sideways`
  }
  if (target.path !== undefined && target.package === undefined)
    return 'a package imports nothing from outside packages/'
  if (target.path !== undefined && isTestFile(target.path)) return 'production code does not import test code'
  return own === 'server' ? serverViolation(from, target.path, edge.typeOnly) : undefined
}

/** True where a test reaches past the entries of another package. Scripts build packages from their files. */
function isDeep(from: string, own: string | undefined, { specifier }: ImportEdge): boolean {
  if (specifier === undefined || from.startsWith('scripts/')) return false
  const target = targetOf(from, specifier)
  return !target.byName && target.package !== undefined && target.package !== own
}

/** Scripts count as test files elsewhere; what they build and start must not need the suite's packages. */
function mayImportTesting(file: string): boolean {
  return isTestFile(file) && (!file.startsWith('scripts/') || file.endsWith('.test.ts'))
}

function isNodeFolder(file: string): boolean {
  return /^packages\/crypto\/src\/node\//.test(file)
}

/** The module that a specifier names, seen from a file: a path of ours, or a built-in of Node. */
export function targetOf(from: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    const to = path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier))
    const name = /^packages\/([^/]+)\//.exec(to)?.[1]
    return { ...(name === undefined ? {} : { package: name }), path: to, byName: false, isBuiltin: false }
  }
  const named = /^@symbolon\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (named?.[1] !== undefined)
    return {
      package: named[1],
      path: `packages/${named[1]}/src/${named[2] ?? 'index.ts'}`,
      byName: true,
      isBuiltin: false,
    }
  return { byName: true, isBuiltin: specifier.startsWith('node:') }
}
