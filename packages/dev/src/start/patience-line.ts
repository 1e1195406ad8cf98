const quietMs = 2_000

/**
 * Reports the progress of a start once, if it has not ended after two seconds: a first start on a busy machine takes longer, and
 * silence looks like a fault. `end()` when there is something else to say.
 */
export function patienceLine(report: (line: string) => void): { end(): void } {
  const timer = setTimeout(() => report('Starting: database, enclave, API …'), quietMs)
  return { end: () => clearTimeout(timer) }
}
