import type { Route } from '@symbolon/api'

/** The methods that routes serve at this target, for 405 and its `Allow`; empty for an unknown path. */
export function methodsAt(routes: readonly Route[], target: string): string[] {
  const path = target.split('?', 1)[0] ?? target
  const segments = path.split('/')
  const methods = routes
    .filter(({ path: pattern }) => matches(pattern.split('/'), segments))
    .map(({ method }) => method)
  return [...new Set(methods)]
}

const matches = (pattern: string[], segments: string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
