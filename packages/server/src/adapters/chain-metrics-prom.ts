import { Counter, Histogram, type Registry } from 'prom-client'
import type { ChainMetrics } from '../ports/chain-metrics.ts'

const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What happens on the chains, counted in a process's registry. */
export function promChainMetrics(registry: Registry): ChainMetrics {
  const calls = new Histogram({
    name: 'symbolon_chain_call_seconds',
    help: 'Duration of a call to a node, bundler or paymaster, over all its URLs.',
    labelNames: ['chain', 'target', 'method', 'outcome'],
    buckets: bucketSeconds,
    registers: [registry],
  })
  const operations = new Counter({
    name: 'symbolon_user_operations_total',
    help: 'User operations by outcome.',
    labelNames: ['chain', 'outcome'],
    registers: [registry],
  })
  return {
    answered: (chain, target, method, outcome, seconds) =>
      calls.observe({ chain, target, method, outcome }, seconds),
    operation: (chain, outcome) => operations.inc({ chain, outcome }),
  }
}
