import type { ParsedSource } from './parse-source.ts'
import { isTestFile } from './source-tree.ts'

/**
 * Every use of the environment, the wall clock, weak randomness or the network outside `main`, `config` and `adapters`:
 * whoever needs them takes a port, so that a test can hold them still.
 */
export function ambientViolations(file: ParsedSource): string[] {
  if (!file.path.startsWith('packages/') || isTestFile(file.path) || isRim(file.path)) return []
  return file.ambient.map(
    ({ name, line }) =>
      `${file.path}:${line}: ${name}: only main, config and adapters may use it; take a port`,
  )
}

function isRim(file: string): boolean {
  return /^packages\/(dev\/|[^/]+\/src\/(?:adapters\/|(?:process\/)?(?:[a-z-]+-)?(?:main|config)\.ts$))/.test(
    file,
  )
}
