import { expect, test } from 'vitest'
import { lineLog } from './enclave-log.ts'

test('each line has level, time, component and event, and no field takes their place', () => {
  const lines: string[] = []
  const log = lineLog(
    'enclave',
    () => 1_700_000_000_000,
    (line) => lines.push(line),
  )
  log('serving', { ringId: 'r' })
  log('no key ring', { reason: 'missing', component: 'another', time: 1 })
  log('start failed')
  expect(lines.every((line) => line.endsWith('}\n'))).toBe(true)
  const common = { time: 1_700_000_000_000, component: 'enclave' }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...common, level: 30, event: 'serving', ringId: 'r' },
    { ...common, level: 40, event: 'no key ring', reason: 'missing' },
    { ...common, level: 50, event: 'start failed' },
  ])
})
