import { expect, test } from 'vitest'
import { mergeMetrics } from './merge-metrics.ts'

const of = (worker: number) => `# HELP a_total What a counts.
# TYPE a_total counter
a_total{worker="${worker}"} ${worker}

# HELP b What b shows.
# TYPE b gauge
b{worker="${worker}"} 0.5
`

test('every metric is described once, with the samples of all processes', () => {
  expect(mergeMetrics([of(1), of(2)])).toBe(`# HELP a_total What a counts.
# TYPE a_total counter
a_total{worker="1"} 1
a_total{worker="2"} 2

# HELP b What b shows.
# TYPE b gauge
b{worker="1"} 0.5
b{worker="2"} 0.5
`)
})

test('a process without metrics takes nothing away', () => {
  expect(mergeMetrics(['', of(3)])).toBe(of(3))
})
