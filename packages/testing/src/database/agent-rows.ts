import type { Sql } from '@symbolon/server/pool'
import { testIds } from './seed-organization.ts'

/** Inserts a session of no agent, over the wallet, under this version of its policy; answers its id. */
export async function seedAgentSession(
  sql: Sql,
  {
    organizationId,
    walletId,
    policyVersion = 1,
  }: { organizationId: string; walletId: string; policyVersion?: number },
): Promise<string> {
  const id = testIds.next()
  await sql`insert into agent_sessions (id, organization_id, wallet_id, name, is_implicit, token_hash, token_hint, policy, sealed_under,
      effective, policy_version, grant_sealed, clipped)
    values (${id}, ${organizationId}, ${walletId}, '', false, ${Buffer.from(id)}, '', '{}', '{}', '{}', ${policyVersion}, '', '{}')`
  return id
}

/**
 * Inserts runs that wait for a worker, the oldest first; the first has been due for `dueSeconds`. The agent and the session that they name
 * do not exist.
 */
export async function queueRuns(
  sql: Sql,
  organizationId: string,
  { count, dueSeconds = 60 }: { count: number; dueSeconds?: number },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into agent_runs (id, organization_id, agent_id, session_id, root_id, source, caller, objective, input, due_at, deadline_at)
      select t.id, ${organizationId}, t.id, t.id, t.id, 'portal', 'portal', '', '{}',
        app_now() - ${dueSeconds} * interval '1 second' + t.n * interval '1 microsecond', app_now() + interval '1 hour'
      from (select gen_random_uuid() as id, n from generate_series(1, ${count}) n) t`
  })
}
