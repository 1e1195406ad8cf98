import { Visitor } from 'oxc-parser'
import type { ParsedFile } from './parsed-file.ts'

/** A record of dependencies carries a port or the way to one. */
const ports = new Set([
  'sql',
  'kms',
  'audit',
  'log',
  'clock',
  'ids',
  'random',
  'limiter',
  'enclave',
  'ports',
  'evm',
  'chains',
  'store',
])

/**
 * Every record of dependencies with more than `membersMax` members, as `file:line: n members`: a parameter's type literal,
 * or an alias called `…Ctx`, `…Context`, `…Deps` or `…Ports`, that names a port. The wiring's own inventory is exempt.
 */
export function wideRecords(files: readonly ParsedFile[], membersMax: number): string[] {
  return files
    .filter(
      ({ path }) =>
        /^packages\/(server|enclave)\/src\//.test(path) && !/\/(wiring\/|app(-ports)?\.ts$)/.test(path),
    )
    .flatMap((file) => {
      const found: string[] = []
      new Visitor({
        TSTypeLiteral(node) {
          const before = file.text.slice(Math.max(0, node.start - 60), node.start)
          const isParameter = /[}\w]\s*:\s*$/.test(before) && !/\btype\b[^=]*=\s*$/.test(before)
          const isAlias = /\btype \w+(Ctx|Context|Deps|Ports)\s*=\s*$/.test(before)
          if (!isParameter && !isAlias) return
          const names = node.members.flatMap((one) =>
            'key' in one && 'name' in one.key ? [String(one.key.name)] : [],
          )
          if (names.length > membersMax && names.some((name) => ports.has(name)))
            found.push(`${file.path}:${file.lineOf(node.start)}: ${names.length} members`)
        },
      }).visit(file.program)
      return found
    })
}
