import { expect, test } from 'vitest'
import { intentRunner } from './intent-runner.ts'
import { objectiveOf } from './objective.ts'
import { scriptedRunner } from './scripted-runner.ts'

const place = '{{objective}}'
const of = (objectiveTemplate: string, objective: string) => ({
  runId: 'r',
  agent: { name: 'Payer', description: '', objectiveTemplate },
  objective,
  input: {},
  turns: [],
  tools: async () => [],
  signal: new AbortController().signal,
})

test('a template multiplies an objective up to 64 KiB', () => {
  expect(objectiveOf(of(place.repeat(16), 'x'.repeat(4_096)))?.objective).toBe('x'.repeat(65_536))
  expect(objectiveOf(of(place.repeat(16), 'ä'.repeat(2_048)))?.objective).toHaveLength(32_768)
  expect(objectiveOf(of(place.repeat(16), 'x'.repeat(4_097)))).toBeUndefined()
  expect(objectiveOf(of(place.repeat(630), 'x'.repeat(65_000)))).toBeUndefined()
})

test('an objective that stands alone is as long as it came', () => {
  const long = 'x'.repeat(70_000)
  for (const template of ['', place, ` ${place}\n`, 'Pay.'])
    expect(objectiveOf(of(template, long))?.objective).toBe(long)
})

test('a run whose agent has got a template that makes its objective too long ends with that reason', async () => {
  for (const runner of [intentRunner, scriptedRunner])
    expect(await runner(of(place.repeat(630), 'say thanks '.repeat(100)))).toMatchObject({
      calls: [],
      end: { state: 'failed', error: 'objective_too_long' },
    })
})
