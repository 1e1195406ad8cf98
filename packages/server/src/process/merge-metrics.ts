/**
 * Joins Prometheus expositions of several processes into one: each metric's description once, then everybody's samples.
 * Samples must differ by a label that names their process.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const described = new Map<string, { description: string[]; samples: string[] }>()
  for (const text of texts) {
    let current: { description: string[]; samples: string[] } | undefined
    let isFirst = false
    for (const line of text.split('\n')) {
      if (line === '') continue
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1]
      if (name === undefined) {
        current?.samples.push(line)
        continue
      }
      const known = described.get(name)
      if (known !== undefined && known !== current) isFirst = false
      if (known === undefined) {
        isFirst = true
        described.set(name, { description: [], samples: [] })
      }
      current = described.get(name)
      if (isFirst) current?.description.push(line)
    }
  }
  return [...described.values()]
    .flatMap(({ description, samples }) => [...description, ...samples, ''])
    .join('\n')
}
