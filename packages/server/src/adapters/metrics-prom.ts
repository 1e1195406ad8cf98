import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ChainMetrics } from '../ports/chain-metrics.ts'
import type { HttpMetrics } from '../ports/http-metrics.ts'
import { promChainMetrics } from './chain-metrics-prom.ts'

/** The metrics of a process, and the text a scraper reads. */
export type Metrics = HttpMetrics & {
  chains: ChainMetrics
  /** The key ring of the enclave that this process signs with; null while it is not this installation's. */
  enclaveRing(ringId: string | null): void
  /** The newest segment of the enclave's marks: its number and its root (lower-case hex). */
  enclaveMarks(number: number, root: string): void
  /** An answer of the enclave that a request is older than what it saw. */
  stateRolledBack(): void
  /** The Prometheus text exposition of this process. */
  text(): Promise<string>
}

const bucketSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const name = 'symbolon_http_request_seconds'

type Series = { route: string; status: number; buckets: number[]; sum: number; count: number }

/** A gauge of one sample: the key ring that was named last. */
function ringInfo(registry: Registry): Metrics['enclaveRing'] {
  const ring = new Gauge({
    name: 'symbolon_enclave_ring_info',
    help: 'The id of the key ring of the enclave.',
    labelNames: ['ring_id'],
    registers: [registry],
  })
  return (ringId) => {
    ring.reset()
    if (ringId !== null) ring.set({ ring_id: ringId }, 1)
  }
}

// A root is a label, and each one a series of its own for whoever scrapes.
const rootEveryMs = 10 * 60_000

/** The number of the newest segment, and every ten minutes its root. */
function marksInfo(registry: Registry): Metrics['enclaveMarks'] {
  const number = new Gauge({
    name: 'symbolon_enclave_marks_number',
    help: 'The number of the newest segment of freshness marks that this process received to store.',
    registers: [registry],
  })
  const info = new Gauge({
    name: 'symbolon_enclave_marks_info',
    help: 'The number and root of a segment of the freshness marks, another one every ten minutes.',
    labelNames: ['number', 'root'],
    registers: [registry],
  })
  let toldAtMs = Number.NEGATIVE_INFINITY
  return (newest, root) => {
    number.set(newest)
    if (performance.now() - toldAtMs < rootEveryMs) return
    toldAtMs = performance.now()
    info.reset()
    info.set({ number: String(newest), root }, 1)
  }
}

/** A counter without labels; each call counts one. */
function counter(registry: Registry, family: { name: string; help: string }): () => void {
  const counted = new Counter({ ...family, registers: [registry] })
  return () => counted.inc()
}

const counters = (registry: Registry): Pick<Metrics, 'forwardedIgnored' | 'stateRolledBack'> => ({
  forwardedIgnored: counter(registry, {
    name: 'symbolon_untrusted_forwarded_total',
    help: 'Requests whose X-Forwarded-For was ignored: TRUSTED_PROXIES does not list the address they came from.',
  }),
  stateRolledBack: counter(registry, {
    name: 'symbolon_enclave_state_rolled_back_total',
    help: 'Requests that the enclave refused because it saw a later state than the one they came with.',
  }),
})

/**
 * Metrics of one process, whose number labels every sample. The histogram of answers is kept here rather than in prom-client, whose labels are hashed anew for
 * each observation. Labels are route ids and statuses: nothing a caller chooses.
 */
export function promMetrics(worker = '0'): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ worker })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const byRoute = new Map<string, Map<number, Series>>()

  function seriesOf(route: string, status: number): Series {
    let byStatus = byRoute.get(route)
    if (byStatus === undefined) {
      byStatus = new Map()
      byRoute.set(route, byStatus)
    }
    let series = byStatus.get(status)
    if (series === undefined) {
      series = { route, status, buckets: bucketSeconds.map(() => 0), sum: 0, count: 0 }
      byStatus.set(status, series)
    }
    return series
  }

  function* histogram(): Generator<string> {
    yield `# HELP ${name} Time from the first byte of a request to the end of its answer.`
    yield `# TYPE ${name} histogram`
    for (const byStatus of byRoute.values()) {
      for (const { route, status, buckets, sum, count } of byStatus.values()) {
        const labels = `worker="${worker}",route="${route}",status="${status}"`
        let below = 0
        for (const [i, le] of bucketSeconds.entries()) {
          below += buckets[i] ?? 0
          yield `${name}_bucket{${labels},le="${le}"} ${below}`
        }
        yield `${name}_bucket{${labels},le="+Inf"} ${count}`
        yield `${name}_sum{${labels}} ${sum}`
        yield `${name}_count{${labels}} ${count}`
      }
    }
  }

  return {
    answered(route, status, seconds) {
      const series = seriesOf(route?.id ?? 'none', status)
      const i = bucketSeconds.findIndex((le) => seconds <= le)
      if (i >= 0) series.buckets[i] = (series.buckets[i] ?? 0) + 1
      series.sum += seconds
      series.count += 1
    },
    enclaveRing: ringInfo(registry),
    enclaveMarks: marksInfo(registry),
    ...counters(registry),
    chains: promChainMetrics(registry),
    text: async () => `${await registry.metrics()}\n${[...histogram()].join('\n')}\n`,
  }
}
