import { testLog } from '@symbolon/testing/database'
import { expect, test } from 'vitest'
import { EnclaveError } from '../ports/enclave.ts'
import { KmsError } from '../ports/kms.ts'
import { outageLog, outages } from './outages.ts'

const lost = () => Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })

test('an outage is said once however many requests fail, and its end once', async () => {
  const said: [string, boolean][] = []
  let isAway = true
  const probes = { database: async () => (isAway ? Promise.reject(lost()) : undefined) }
  const all = outages(probes, (component, isUp) => said.push([component, isUp]))
  const inner = testLog()
  const log = outageLog({ ...inner, debug() {} }, all)
  for (let i = 0; i < 50; i++)
    log.error({ err: new Error('failed', { cause: lost() }) }, 'answered with a failure')
  expect([said, inner.lines]).toEqual([[['database', false]], []])
  isAway = false
  await expect
    .poll(() => said)
    .toEqual([
      ['database', false],
      ['database', true],
    ])
  log.error({ err: lost() }, 'what failed before the return')
  expect(said).toHaveLength(2)
  all.close()
})

test('load and faults that are no outage are logged as they come', () => {
  const all = outages({}, () => {
    throw new Error('not an outage')
  })
  const inner = testLog()
  const log = outageLog(inner, all)
  log.error({ err: new EnclaveError('unavailable', 'too many requests wait') }, 'full')
  log.warn({ err: Object.assign(new Error('slow'), { code: '57014' }) }, 'slow')
  log.warn({ err: new Error('a bug') }, 'bug')
  expect(inner.lines).toHaveLength(3)
})

test('what the look at readiness found missing is said with what its probe threw', () => {
  const said: unknown[] = []
  const all = outages({}, (...line) => said.push(line))
  const foreign = new KmsError('unavailable', undefined, { reason: 'key_foreign', purpose: 'tee-b' })
  const detail = { down: ['kms', 'mail'], faults: { kms: foreign } }
  outageLog(testLog(), all).warn({ code: 'unavailable', detail }, 'answered with a failure')
  expect(said).toEqual([
    ['kms', false, foreign],
    ['mail', false, undefined],
  ])
  all.close()
})
