import { type LimitName, limits } from '@symbolon/api'
import { coalesce } from '../db/coalesce.ts'
import type { Queryable } from '../db/pool.ts'

/** What a bucket answered; the times are in seconds, `remaining` is what could pass at once now. */
export type Permit = {
  granted: boolean
  burst: number
  remaining: number
  retrySeconds: number
  resetSeconds: number
}

/** The documented rates, shared by all processes. */
export type Limiter = {
  /** Takes one permit of the rate `name` for `key`; exact over all processes. */
  take(name: LimitName, key: string): Promise<Permit>
}

type Asked = { name: LimitName; key: string }
type Row = { key: string; granted: number; remaining: number; retry_seconds: number; reset_seconds: number }

/**
 * GCRA buckets in the database, one statement for all requests that ask at the same moment. Requests for one bucket are
 * counted together; those that arrived first pass first.
 */
export function databaseLimiter(sql: Queryable): Limiter {
  const take = coalesce<Asked, Permit>({
    run: (asked) => takePermits(sql, asked),
    batchMax: 1_000,
    inFlightMax: 2,
  })
  return { take: (name, key) => take({ name, key }) }
}

async function takePermits(sql: Queryable, asked: Asked[]): Promise<Permit[]> {
  const counts = new Map<string, { name: LimitName; count: number }>()
  for (const { name, key } of asked) {
    const bucket = `${name}:${key}`
    const found = counts.get(bucket)
    if (found === undefined) counts.set(bucket, { name, count: 1 })
    else found.count++
  }
  const buckets = [...counts]
  const rows = await sql<Row[]>`select * from take_permits(
    keys => ${buckets.map(([bucket]) => bucket)}::text[],
    counts => ${buckets.map(([, { count }]) => count)}::integer[],
    periods => ${buckets.map(([, { name }]) => limits[name].periodMs / 1000)}::double precision[],
    bursts => ${buckets.map(([, { name }]) => limits[name].burst)}::integer[])`
  const left = new Map(rows.map((row) => [row.key, { ...row }]))
  return asked.map(({ name, key }) => {
    const row = left.get(`${name}:${key}`)
    if (row === undefined) throw new Error('A bucket did not answer.')
    return permit(row, limits[name].burst)
  })
}

/** Hands one of the granted permits out, if any is left. */
export function permit(row: Omit<Row, 'key'>, burst: number): Permit {
  const granted = row.granted > 0
  if (granted) row.granted--
  return {
    granted,
    burst,
    remaining: row.remaining + row.granted,
    retrySeconds: row.retry_seconds,
    resetSeconds: row.reset_seconds,
  }
}
