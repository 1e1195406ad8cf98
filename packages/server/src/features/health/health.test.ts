import type { Component } from '@symbolon/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Queryable } from '../../db/pool.ts'
import { KmsError } from '../../ports/kms.ts'
import { areAllThere, checkComponents, health, isReady, type Probe } from './health.ts'

const ringId = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const serving = {
  phase: 'serving',
  simulated: true,
  ringId,
  keyVersionA: 1,
  hasUnstoredMarks: false,
  measurements: {},
}
// A tagged template that answers as the pool does: `select 1` is all that is asked here.
const sqlOf = (answer: () => Promise<unknown>) => answer as unknown as Queryable

function parts({
  query = async (): Promise<unknown> => [],
  ping = async () => {},
  phase = 'serving',
  extra = {} as Record<string, Probe>,
} = {}) {
  return { sql: sqlOf(query), kms: { ping }, enclave: { status: async () => ({ ...serving, phase }) }, extra }
}

const gone = async () => {
  throw new Error('connection refused at 10.0.0.1')
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an installation whose parts all answer is ready, and simulated attestation is shown', async () => {
  const components = await checkComponents(
    health(parts({ extra: { chain: async () => ({ status: 'off' }) } })),
  )
  expect(components).toEqual({
    database: { status: 'up' },
    kms: { status: 'up' },
    enclave: {
      status: 'up',
      phase: 'serving',
      mode: 'simulated',
      ring_id: ringId,
      enclaves: [{ status: 'up' }],
    },
    chain: { status: 'off' },
  })
  expect(isReady(components)).toBe(true)
})

test.each<[string, Parameters<typeof parts>[0], string, Component['status']]>([
  ['a database out of reach', { query: gone }, 'database', 'down'],
  ['a KMS out of reach', { ping: gone }, 'kms', 'down'],
  ['an enclave that is not attested yet', { phase: 'boot' }, 'enclave', 'starting'],
  ['an enclave without its keys yet', { phase: 'attested' }, 'enclave', 'starting'],
  ['a sealed enclave', { phase: 'sealed' }, 'enclave', 'down'],
  ['a chain that starts', { extra: { chain: async () => ({ status: 'starting' }) } }, 'chain', 'starting'],
])('%s makes the installation not ready', async (_, broken, name, status) => {
  const components = await checkComponents(health(parts(broken)))
  expect(components[name]?.status).toBe(status)
  expect(isReady(components)).toBe(false)
  expect(JSON.stringify(components)).not.toContain('10.0.0.1')
})

test('why a part is missing is kept for the log, with the reason that everybody may know in the answer', async () => {
  const foreign = new KmsError('unavailable', undefined, { reason: 'key_foreign', purpose: 'tee-b' })
  const ping = vi.fn(async () => {}).mockRejectedValueOnce(foreign)
  const service = health(parts({ ping }))
  expect(await checkComponents(service)).toMatchObject({ kms: { status: 'down', reason: 'key_foreign' } })
  expect(service.faults).toEqual({ kms: foreign })
  await checkComponents(service)
  expect(service.faults).toEqual({})
})

test('a part that is silent counts as down after 1.5 s', async () => {
  const answer = checkComponents(health(parts({ ping: () => new Promise(() => {}) })))
  await vi.advanceTimersByTimeAsync(1_499)
  expect(await Promise.race([answer, 'waiting'])).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(await answer).toMatchObject({ database: { status: 'up' }, kms: { status: 'down' } })
})

test('a part that comes back is seen by the next question', async () => {
  const ping = vi.fn(async () => {}).mockRejectedValueOnce(new Error('gone'))
  const service = health(parts({ ping }))
  expect(isReady(await checkComponents(service))).toBe(false)
  expect(isReady(await checkComponents(service))).toBe(true)
})

test('a thousand questions at once are one round of probes', async () => {
  const query = vi.fn(async () => [])
  const service = health(parts({ query }))
  await Promise.all(Array.from({ length: 1000 }, () => checkComponents(service)))
  expect(query).toHaveBeenCalledTimes(1)
})

test('what a process says of itself never waits for a silent part: 0.5 s at first, 0.1 s once the outage is known', async () => {
  const query = vi.fn(async () => [])
  let ping: () => Promise<void> = () => new Promise(() => {})
  const service = health({ ...parts({ query }), kms: { ping: () => ping() } })
  const after = async (ms: number, answer: Promise<boolean>) => {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(await Promise.race([answer, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    return Promise.race([answer, 'waiting'])
  }
  const round = checkComponents(service)
  expect(await after(500, areAllThere(service))).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  await round
  expect(query).toHaveBeenCalledTimes(1)
  expect(await after(100, areAllThere(service))).toBe(false)
  await vi.advanceTimersByTimeAsync(1_400)
  ping = async () => {}
  expect(await areAllThere(service)).toBe(true)
})
