import { type LimitName, limits } from '@symbolon/api'
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

/** The documented rates, shared by all processes. */
export type Limiter = {
  /** Asks the rate `name` to let one more request of `key` pass; exact over all processes. */
  acquire(name: LimitName, key: string): Promise<RateGrant>
}

type Asked = { name: LimitName; key: string }
/** What one rate limit grants to all requests of one moment. */
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
  return { acquire: (name, key) => acquire({ name, key }) }
}

async function acquireAll(sql: Queryable, asked: Asked[]): Promise<RateGrant[]> {
  const counts = new Map<string, { name: LimitName; count: number }>()
  for (const { name, key } of asked) {
    const bucket = `${name}:${key}`
    const found = counts.get(bucket)
    if (found === undefined) counts.set(bucket, { name, count: 1 })
    else found.count++
  }
  const buckets = [...counts]
  const rows = await sql<(GrantRow & { key: string })[]>`select * from acquire_rate_limits(
    keys => ${buckets.map(([bucket]) => bucket)}::text[],
    counts => ${buckets.map(([, { count }]) => count)}::integer[],
    periods => ${buckets.map(([, { name }]) => limits[name].periodMs / 1000)}::double precision[],
    bursts => ${buckets.map(([, { name }]) => limits[name].burst)}::integer[])`
  const left = new Map(rows.map((row) => [row.key, { ...row }]))
  return asked.map(({ name, key }) => {
    const row = left.get(`${name}:${key}`)
    if (row === undefined) throw new Error('A bucket did not answer.')
    return rateGrant(row, limits[name].burst)
  })
}

/** Hands out one of the grants in the row, if any is left. */
export function rateGrant(row: GrantRow, burst: number): RateGrant {
  const isGranted = row.granted > 0
  if (isGranted) row.granted--
  return {
    isGranted,
    burst,
    remaining: row.remaining + row.granted,
    retrySeconds: row.retry_seconds,
    resetSeconds: row.reset_seconds,
  }
}
