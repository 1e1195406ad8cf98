import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { HttpMetrics } from '../http/server.ts'

export type Metrics = HttpMetrics & {
  /** The Prometheus text exposition of this process. */
  text(): Promise<string>
  contentType: string
}

/** Counters of one process. Labels are route ids and statuses: nothing a caller chooses. */
export function promMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const seconds = new Histogram({
    name: 'symbolon_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'symbolon_http_failures_total',
    help: 'Answers with a status of 500 or above.',
    labelNames: ['route'],
    registers: [registry],
  })
  return {
    answered(route, status, elapsed) {
      const name = route?.id ?? 'none'
      seconds.observe({ route: name, status }, elapsed)
      if (status >= 500) failures.inc({ route: name })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
