import { randomUUID } from 'node:crypto'
import { type Route, routes, takesIdempotencyKey } from '@symbolon/api'
import { callAs, portalUser } from '@symbolon/testing/app'
import { callRoute } from './call-route.ts'
import { bodyOf, type Fixture, pathOf } from './fixture.ts'

/** Calls a route under a new idempotency key, as it wants to be called. */
async function callKeyed(fixture: Fixture, route: Route) {
  const { app, portal } = fixture
  const headers = { 'idempotency-key': randomUUID() }
  // Tokens of their own: some calls end theirs.
  const asOwner = { ...fixture.owner, token: fixture.tokenOf(fixture.owner) }
  if (!route.lane.startsWith('portal')) return callRoute(fixture, route, { user: asOwner, headers })
  const user = await portalUser(app, portal.owner.email)
  return callAs(app, user, [route.method, pathOf(fixture, route), bodyOf(route, fixture) ?? {}], { headers })
}

/** Records each write of a table with its transaction. */
async function watchWrites({ app: { sql } }: Fixture): Promise<void> {
  await sql.unsafe(`
    create table writes_seen (xid xid8 not null, what text not null);
    create function see_write() returns trigger language plpgsql as $$ begin
      insert into writes_seen values (pg_current_xact_id(), lower(tg_op) || ' ' || tg_table_name);
      return null;
    end $$;
    do $$ declare t text; begin
      for t in select tablename from pg_tables where schemaname = 'public' and tablename not in ('writes_seen', 'rate_limits') loop
        execute format('create trigger seen after insert or update or delete on %I for each row execute function see_write()', t);
      end loop;
    end $$;`)
}

/** What others write meanwhile: workers, logins of this test, and what authenticates a request. */
const others = new RegExp(
  [
    '^(update|delete) outbox$',
    '^(insert|update) (portal_|agent_turns|agent_run_steps|audit_subtrees|settlement_leases)',
    '^update (processes|agent_sessions|agent_runs|user_operations)$',
  ].join('|'),
)

/** What each keyed route answers, and what it committed in transactions that do not mark its key. */
export async function unmarkedWrites(
  fixture: Fixture,
): Promise<{ id: string; status: number; unmarked: string[] }[]> {
  const { sql } = fixture.app
  await watchWrites(fixture)
  const found = []
  // What others need is archived last.
  const keyed = (Object.values(routes) as Route[]).filter(takesIdempotencyKey)
  const isLast = ({ id }: Route) => id.endsWith('.archive')
  for (const route of [...keyed.filter((each) => !isLast(each)), ...keyed.filter(isLast)]) {
    await sql`delete from rate_limits`
    await sql`delete from writes_seen`
    const { status } = await callKeyed(fixture, route)
    const rows = await sql<{ what: string }[]>`
      select distinct what from writes_seen
      where xid not in (select xid from writes_seen where what like '% idempotency_keys') order by what`
    found.push({
      id: route.id,
      status,
      unmarked: rows.map(({ what }) => what).filter((what) => !others.test(what)),
    })
  }
  return found
}
