import { ApiError } from '@symbolon/api'
import { expect, test } from 'vitest'
import { busy, logFailure } from './log-failure.ts'

function logged() {
  const clock = { nowMs: 0 }
  const lines: string[] = []
  const at = (level: string) => (fields: object, text: string) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields)}`)
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { clock, lines, say: logFailure(log as never, () => clock.nowMs) }
}

test('the refusals of a busy organization are one warning a minute, and its failures are errors all the same', () => {
  const { clock, lines, say } = logged()
  const refused = new ApiError('unavailable', { retryAfterSeconds: 1, detail: busy })
  for (let i = 0; i < 50; i++) say(refused, refused, { group: 'acme', code: 'unavailable' })
  const loud = () => lines.filter((line) => !line.startsWith('debug'))
  expect(loud()).toEqual([
    'warn an organization sends more than its share: some of it is refused {"code":"unavailable","detail":{"isBusy":true},"group":"acme"}',
  ])
  clock.nowMs = 60_000
  say(refused, refused, { group: 'acme', code: 'unavailable' })
  expect(loud()).toHaveLength(2)
  const broken = new ApiError('unavailable', { retryAfterSeconds: 1 })
  say(broken, broken, { group: 'acme', code: 'unavailable' })
  expect(loud()[2]).toMatch(/^error answered with a failure .*"err"/)
})
