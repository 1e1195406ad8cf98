import type { ChainMetrics } from '../../../ports/chain-metrics.ts'
import type { Log } from '../../../ports/log.ts'

/** A log and metrics that keep their input, as lines. */
export function recorded(): { lines: string[]; log: Log; metrics: ChainMetrics; calls: string[] } {
  const lines: string[] = []
  const calls: string[] = []
  const write = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`)
  return {
    lines,
    calls,
    log: { debug: write, info: write, warn: write, error: write },
    metrics: {
      answered: (chain, target, method, outcome) => calls.push(`${chain} ${target} ${method} ${outcome}`),
      operation: (chain, outcome) => calls.push(`${chain} ${outcome}`),
    },
  }
}
