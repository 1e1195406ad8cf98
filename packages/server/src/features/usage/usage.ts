import type { Usage } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import type { Queryable } from '../../db/pool.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { eurText } from '../spending/index.ts'
import { type UsageCount, usageStore } from './usage.store.ts'

const daysMax = 366
const dayMs = 86_400_000

/** The usage of an organization's wallets per day, in a range of days (`YYYY-MM-DD`, both included); the last 30 days by default. */
export async function usageOf(
  sql: Queryable,
  organizationId: string,
  given: { from?: string; to?: string },
): Promise<Usage | Failure<'invalid_request'>> {
  const { days, ...range } = await usageStore.range(sql, given)
  if (days < 1 || days > daysMax) {
    const issue = { path: ['from'], message: `must be 1 to ${daysMax} days before the end` }
    return failure('invalid_request', { details: { issues: [issue] } })
  }
  const counts = await usageStore.counts(sql, organizationId, range)
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const items = daysOf(range.from, days).map((day) => ({ day, ...countsOf(byDay.get(day) ?? []) }))
  return { items, totals: countsOf(counts), ...range }
}

function daysOf(first: string, count: number): string[] {
  const start = Date.parse(`${first}T00:00:00.000Z`)
  return Array.from({ length: count }, (_, i) => new Date(start + i * dayMs).toISOString().slice(0, 10))
}

function countsOf(counts: readonly UsageCount[]): Usage['totals'] {
  const sums = new Map<string, bigint>()
  for (const { kind, amount } of counts) sums.set(kind, (sums.get(kind) ?? 0n) + amount)
  const of = (kind: string) => Number(sums.get(kind) ?? 0n)
  const signed = networks.list.map(({ name }) => [name, of(`signatures.${name}`)] as const)
  return {
    wallets_created: of('wallets_created'),
    signatures: Object.fromEntries(signed.filter(([, count]) => count > 0)),
    share_releases: of('share_releases'),
    sponsored_eur: eurText(sums.get('sponsored_micro') ?? 0n),
    refusals: of('refusals'),
    errors: of('errors'),
  }
}
