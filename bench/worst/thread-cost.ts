const batches = 3
// The kernel counts a thread's time in steps of up to 10 ms on some machines: a batch takes several of them.
const batchMs = 40
const warmMs = 15
const runsMax = 4_000

/** What some work costs its thread in ms of CPU, once it is warm, with its value or its error: the cheapest of a few batches of runs. */
export function cpuMs<value>(work: () => value): { ms: number } & ({ value: value } | { error: unknown }) {
  const end = outcome(work)
  const runs = Math.min(runsMax, Math.max(1, Math.ceil(batchMs / warmedMs(work))))
  let ms = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < batches; batch++) {
    const before = process.threadCpuUsage()
    for (let run = 0; run < runs; run++) outcome(work)
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.min(ms, (user + system) / 1_000 / runs)
  }
  return { ms, ...end }
}

/** Runs the work for a moment, and returns about how long one run takes. */
function warmedMs(work: () => unknown): number {
  const startedMs = performance.now()
  let runs = 0
  let tookMs = 0
  while (runs < 2 || (tookMs < warmMs && runs < runsMax)) {
    outcome(work)
    runs++
    tookMs = performance.now() - startedMs
  }
  return tookMs / runs
}

function outcome<value>(work: () => value): { value: value } | { error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
