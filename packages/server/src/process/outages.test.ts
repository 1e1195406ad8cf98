import { testLog } from '@symbolon/testing/database'
import { expect, test } from 'vitest'
import { EnclaveError } from '../ports/enclave.ts'
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
