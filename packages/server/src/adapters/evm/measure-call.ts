import type { ChainCallOutcome, ChainMetrics, ChainTarget } from '../../ports/chain-metrics.ts'

/** Runs one call of a chain and counts it by its method and outcome. */
export type MeasureCall = <value>(method: string, run: () => Promise<value>) => Promise<value>

/** Measures calls to one target of one chain: an error with the code `transport` failed, every other is an answer. */
export function measureCalls(metrics: ChainMetrics, chain: string, target: ChainTarget): MeasureCall {
  return async (method, run) => {
    const startedAt = performance.now()
    let outcome: ChainCallOutcome = 'ok'
    try {
      return await run()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      outcome = code === 'reverted' || code === 'rejected' ? 'refused' : 'failed'
      throw error
    } finally {
      metrics.answered(chain, target, method, outcome, (performance.now() - startedAt) / 1_000)
    }
  }
}
