import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Organization, PlatformProcesses } from '@symbolon/testing/platform'
import { expect } from 'vitest'
import { paymentsOf } from './budget-fixture.ts'
import { booksOf, drain, type RunOptions, type Seen, spendAll } from './budget-run.ts'

/** Spends every kind's budget from all processes at once, and expects it to be spent to the last unit and no further. */
export async function expectExact(
  platform: PlatformProcesses,
  organization: Organization,
  { units, ...options }: RunOptions & { units: number },
): Promise<void> {
  const payments = await paymentsOf(platform, organization, units)
  for (const seen of await spendAll(platform, payments, options)) {
    const { kind } = seen.payments
    const { spent, reserved, reservations, events } = await booksOf(platform, seen.payments)
    expect({ kind, signed: seen.signed.size, spent, reserved }).toEqual({
      kind,
      signed: units,
      spent: units,
      reserved: 0,
    })
    expect(reservations).toEqual({ spent: units, reserved: 0 })
    expect(seen.unanswered).toBe(0)
    expectEventOfEach(seen, events)
  }
}

/** One event for each request, in dense order; one that was answered 503 has an event where it was signed or refused all the same. */
function expectEventOfEach(
  { requests, refused, failed }: Seen,
  events: Awaited<ReturnType<typeof booksOf>>['events'],
): void {
  expect(failed).toBeLessThan(requests / 2)
  expect(events).toMatchObject({ dense: true, tallied: events?.all })
  const { all = 0, allowed = 0 } = events ?? {}
  expect(requests - all).toBeGreaterThanOrEqual(0)
  expect(requests - all).toBeLessThanOrEqual(failed)
  const answered = requests - failed - refused
  expect(allowed - answered).toBeGreaterThanOrEqual(0)
  expect(allowed - answered).toBeLessThanOrEqual(failed)
}

/** The same while processes die; what is missing then is held, and what is held is no more than what died can have signed. */
export async function expectExactThroughDeaths(
  platform: PlatformProcesses,
  organization: Organization,
  { units, deaths, ...options }: RunOptions & { units: number; deaths: number },
): Promise<void> {
  const payments = await paymentsOf(platform, organization, units)
  let isOver = false
  const run = spendAll(platform, payments, options).finally(() => {
    isOver = true
  })
  const killed = await killWorkers(platform, deaths, () => isOver)
  const all = await run
  await platform.ready()
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  for (const seen of all) {
    const { payments: one, signed } = seen
    const { kind } = one
    const before = await booksOf(platform, one)
    // Every answer counts as spent; more may be, since an answer can be lost.
    expect(signed.size, kind).toBeLessThanOrEqual(before.spent)
    expect(before.spent + before.reserved, kind).toBeLessThanOrEqual(units)
    await drain(api, one)
    const { spent, reserved, reservations, events } = await booksOf(platform, one)
    expect({ kind, sum: spent + reserved }).toEqual({ kind, sum: units })
    expect(reservations).toEqual({ spent, reserved })
    // Whatever was signed or refused has its event; what was not answered, or only with a 503, has at most one.
    const answered = seen.requests - seen.unanswered - seen.failed
    expect(before.events?.all).toBeGreaterThanOrEqual(answered)
    expect(before.events?.all).toBeLessThanOrEqual(seen.requests)
    expect(events).toMatchObject({ dense: true, tallied: events?.all })
    expect(events?.allowed).toBeGreaterThanOrEqual(spent)
  }
  expect(killed).toBeGreaterThan(0)
}

async function killWorkers(
  { apis }: PlatformProcesses,
  deaths: number,
  isOver: () => boolean,
): Promise<number> {
  let killed = 0
  while (killed < deaths && !isOver()) {
    await sleep(randomInt(150, 500))
    const pid = apis[randomInt(apis.length)]?.workerPid()
    if (pid === undefined || isOver()) continue
    try {
      process.kill(pid, 'SIGKILL')
      killed++
    } catch {
      // It has just died of an earlier blow.
    }
  }
  return killed
}
