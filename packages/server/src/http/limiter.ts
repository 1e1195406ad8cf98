import { type Limit, type LimitName, limits } from '@symbolon/api'
import { coalesce } from '../db/coalesce.ts'
import type { Queryable } from '../db/pool.ts'

/** The state of a rate limit after one request; times in seconds, `remaining` is the number of requests that could pass now. */
export type RateGrant = {
  isGranted: boolean
  burst: number
  remaining: number
  retrySeconds: number
  resetSeconds: number
}

/**
 * Takes the grant of a limit that a handler checked itself, for the headers of the answer. `weight`: the units that the request costs, by
 * the length of its body; one where it is absent.
 */
export type ReportRate = ((grant: RateGrant) => void) & { readonly weight?: number }

/** The documented rates, shared by all processes. */
export type Limiter = {
  /**
   * Asks the rate `name` to let one more request of `key` pass; exact over all processes. A request that costs several units (`weight`;
   * the burst at most) passes whole or not at all. `limit` is another figure than the documented one.
   */
  acquire(name: LimitName, key: string, weight?: number, limit?: Limit): Promise<RateGrant>
  /** Takes further units for a request that has passed, of those to come too: of four bursts at most. */
  charge(name: LimitName, key: string, units: number): Promise<void>
}

/** In bursts: after the longest answer, a bucket is open again once the last three of them have passed. */
const debtMax = 4

type Asked = { bucketKey: string; limit: Limit; weight: number }
/** What one rate limit grants to all requests of one moment; `granted` and `remaining` in units. */
export type GrantRow = { granted: number; remaining: number; retry_seconds: number; reset_seconds: number }

/**
 * GCRA buckets in the database, one statement for all requests that ask at the same moment. Requests for one bucket are
 * counted together; those that arrived first pass first.
 */
export function databaseLimiter(sql: Queryable): Limiter {
  const acquire = coalesce<Asked, RateGrant>({
    run: (asked) => acquireAll(sql, asked),
    batchMax: 1_000,
    inFlightMax: 2,
  })
  return {
    acquire: (name, key, weight = 1, limit = limits[name]) =>
      acquire({ bucketKey: `${name}:${key}`, limit, weight }),
    async charge(name, key, units) {
      await sql`
        update rate_limits set tat = least(greatest(tat, now) + ${units} * period_seconds, now + ${debtMax} * burst * period_seconds)
        from (select extract(epoch from app_now())::double precision as now) clock where key = ${`${name}:${key}`}`
    },
  }
}

async function acquireAll(sql: Queryable, asked: Asked[]): Promise<RateGrant[]> {
  const limitOf = new Map(asked.map(({ bucketKey, limit }) => [bucketKey, limit]))
  const buckets = countUnits(
    asked.map(({ bucketKey: key, limit, weight }) => ({ key, weight: cappedWeight(limit, weight) })),
  )
  const limitsOf = buckets.map(({ key }) => limitOf.get(key) ?? limits.s2s)
  const weights = buckets.filter(({ weights }) => weights !== null).map(({ key, weights }) => [key, weights])
  const rows = await sql<(GrantRow & { key: string })[]>`select * from acquire_rate_limits(
    keys => ${buckets.map(({ key }) => key)}::text[],
    counts => ${buckets.map(({ units }) => units)}::integer[],
    periods => ${limitsOf.map(({ periodMs }) => periodMs / 1000)}::double precision[],
    bursts => ${limitsOf.map(({ burst }) => burst)}::integer[],
    weights => ${weights.length === 0 ? null : JSON.stringify(Object.fromEntries(weights))}::text::jsonb)`
  const left = new Map(rows.map((row) => [row.key, { ...row }]))
  return asked.map(({ bucketKey, limit, weight }) => {
    const row = left.get(bucketKey)
    if (row === undefined) throw new Error('A bucket did not answer.')
    return rateGrant(row, limit, weight)
  })
}

/** What requests of one key cost together; `weights` has the cost of each, in order, where one costs more than a unit. */
export type CountedUnits = { key: string; units: number; weights: string | null }

/** The costs in `weights` as an array of texts; null where no request costs more than a unit. */
export const weightsOf = (counted: readonly CountedUnits[]): (string | null)[] | null =>
  counted.some(({ weights }) => weights !== null) ? counted.map(({ weights }) => weights) : null

/** Counts requests by their keys. */
export function countUnits(asked: readonly { key: string; weight: number }[]): CountedUnits[] {
  const buckets = new Map<string, number[]>()
  for (const { key, weight } of asked) {
    const found = buckets.get(key)
    if (found === undefined) buckets.set(key, [weight])
    else found.push(weight)
  }
  return [...buckets].map(([key, weights]) => {
    const units = weights.reduce((sum, weight) => sum + weight, 0)
    return { key, units, weights: units === weights.length ? null : weights.join(' ') }
  })
}

/** No request costs more than the burst: it could never pass. */
export const cappedWeight = ({ burst }: Limit, weight: number): number => Math.min(weight, burst)

/**
 * Hands out units of the row to a request, if enough are left. Asked in the order of the statement's weights, each request gets what the
 * statement counted for it.
 */
export function rateGrant(row: GrantRow, limit: Limit, weight: number): RateGrant {
  const { burst, periodMs } = limit
  const units = cappedWeight(limit, weight)
  const isGranted = row.granted >= units
  if (isGranted) row.granted -= units
  return {
    isGranted,
    burst,
    remaining: row.remaining + row.granted,
    // One unit more is there in `retry_seconds`; the bucket is empty in `reset_seconds`.
    retrySeconds:
      units === 1 ? row.retry_seconds : Math.max(0, row.reset_seconds - ((burst - units) * periodMs) / 1000),
    resetSeconds: row.reset_seconds,
  }
}
