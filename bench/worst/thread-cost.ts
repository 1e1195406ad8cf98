const runs = 4

/** What some work costs its thread in ms of CPU, the least of a few runs, with its value or its error. */
export function cpuMs<value>(work: () => value): { ms: number } & ({ value: value } | { error: unknown }) {
  let ms = Number.POSITIVE_INFINITY
  let end: { value: value } | { error: unknown } = { error: undefined }
  for (let run = 0; run < runs; run++) {
    const before = process.threadCpuUsage()
    try {
      end = { value: work() }
    } catch (error) {
      end = { error }
    }
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.min(ms, (user + system) / 1_000)
  }
  return { ms, ...end }
}
