import type { ErrorCode, Route } from '@symbolon/api'
import type { Answer, CallOptions, Tenant, TestApp } from '@symbolon/testing/app'
import { bodyOf, credentialsOf, type Fixture, pathOf } from './fixture.ts'

/** Makes the route answer with one error. */
export type Provoke = (fixture: Fixture, route: Route) => Promise<Answer>

/** What differs from the call that a route wants. */
export type Changes = CallOptions & {
  tenant?: Tenant
  user?: Fixture['owner']
  walletId?: string
  process?: TestApp
  query?: string
}

/** What provokes some errors of a route. */
export type ErrorCases = Partial<Record<ErrorCode, Provoke>>

/** Calls the route as it wants to be called, but for the changes. */
export async function callRoute(fixture: Fixture, route: Route, changes: Changes = {}): Promise<Answer> {
  const {
    tenant = fixture.tenant,
    user = fixture.owner,
    walletId = fixture.walletId,
    process = fixture.app,
    query = '',
  } = changes
  const { tenant: _t, user: _u, walletId: _w, process: _p, query: _q, ...given } = changes
  const json = bodyOf(route, fixture)
  const hasBody = 'json' in given || 'body' in given
  return process.call(route.method, pathOf(fixture, route, { walletId }) + query, {
    ...credentialsOf(route, tenant, user, fixture.agents),
    ...(json !== undefined && !hasBody && { json }),
    ...given,
  })
}

/** Fills a bucket so far that it grants nothing for minutes. */
export async function fillBucket({ app }: Fixture, key: string) {
  await app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
    values (${key}, extract(epoch from app_now()) + 1000, extract(epoch from app_now()), 1, 1, 0)
    on conflict (key) do update set tat = excluded.tat`
}

/** The first request of a key has taken effect, and its process died before it answered. */
export async function loseAnswer({ app }: Fixture, key: string) {
  await app.sql`update idempotency_keys set state = 'spent' where key = ${key}`
}
