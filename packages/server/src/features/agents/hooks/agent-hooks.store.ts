import type { Queryable } from '../../../db/pool.ts'
import type { HookStyle } from './hook-signatures.ts'

/** A hook as members see it. */
export type AgentHookRow = {
  id: string
  agentId: string
  name: string
  style: HookStyle
  objectiveTemplate: string
  secretHint: string
  createdAt: Date
  lastDeliveryAt: Date | null
}

/** A sealed secret under its own id. */
export type StoredSecret = { secretId: string; sealedSecret: Uint8Array }

/** A hook as deliveries are verified: the secrets that are valid now, newest first, and the database's time. */
export type HookTarget = Pick<AgentHookRow, 'id' | 'agentId' | 'style' | 'objectiveTemplate'> & {
  organizationId: string
  secrets: readonly StoredSecret[]
  nowMs: number
}

type TargetRow = Omit<HookTarget, 'secrets'> &
  StoredSecret & { earlierSecretId: string | null; earlierSealedSecret: Uint8Array | null }

const columns = `h.id, h.agent_id as "agentId", h.name, h.style, h.objective_template as "objectiveTemplate",
  h.secret_hint as "secretHint", h.created_at as "createdAt", h.last_delivery_at as "lastDeliveryAt"`

const graceHours = 24

/** The statements of inbound hooks. */
export const agentHooksStore = {
  async list(sql: Queryable, organizationId: string, agentId: string): Promise<AgentHookRow[]> {
    const rows = await sql<AgentHookRow[]>`
      select ${sql.unsafe(columns)} from agent_hooks h
      where h.agent_id = ${agentId} and h.organization_id = ${organizationId} order by h.id desc`
    return [...rows]
  },

  /** Undefined where the organization has no such active agent. */
  async insert(
    tx: Queryable,
    hook: Pick<AgentHookRow, 'id' | 'agentId' | 'name' | 'style' | 'objectiveTemplate' | 'secretHint'> &
      StoredSecret & { organizationId: string },
  ): Promise<AgentHookRow | undefined> {
    const rows = await tx<AgentHookRow[]>`
      insert into agent_hooks as h (id, organization_id, agent_id, name, style, objective_template, secret_id, sealed_secret, secret_hint)
      select ${hook.id}, a.organization_id, a.id, ${hook.name}, ${hook.style}, ${hook.objectiveTemplate}, ${hook.secretId},
        ${hook.sealedSecret}, ${hook.secretHint}
      from agents a where a.id = ${hook.agentId} and a.organization_id = ${hook.organizationId} and a.status = 'active' for share of a
      returning ${tx.unsafe(columns)}`
    return rows[0]
  },

  async remove(
    tx: Queryable,
    { organizationId, agentId, id }: { organizationId: string; agentId: string; id: string },
  ): Promise<boolean> {
    const result = await tx`
      delete from agent_hooks where id = ${id} and agent_id = ${agentId} and organization_id = ${organizationId}`
    return result.count === 1
  },

  /**
   * Makes another secret the current one; the last one stays valid for 24 h, an earlier one does not. Undefined without such a hook of an
   * active agent.
   */
  async rotate(
    tx: Queryable,
    { organizationId, agentId, id }: { organizationId: string; agentId: string; id: string },
    { secretId, sealedSecret, secretHint }: StoredSecret & { secretHint: string },
  ): Promise<AgentHookRow | undefined> {
    const rows = await tx<AgentHookRow[]>`
      update agent_hooks h set earlier_secret_id = secret_id, earlier_sealed_secret = sealed_secret,
        earlier_ends_at = app_now() + ${graceHours} * interval '1 hour',
        secret_id = ${secretId}, sealed_secret = ${sealedSecret}, secret_hint = ${secretHint}
      from (
        select a.id from agents a
        where a.id = ${agentId} and a.organization_id = ${organizationId} and a.status = 'active' for share) active
      where h.id = ${id} and h.agent_id = active.id and h.organization_id = ${organizationId}
      returning ${tx.unsafe(columns)}`
    return rows[0]
  },

  async target(sql: Queryable, id: string): Promise<HookTarget | undefined> {
    const rows = await sql<TargetRow[]>`
      select h.id, h.organization_id as "organizationId", h.agent_id as "agentId", h.style,
        h.objective_template as "objectiveTemplate", h.secret_id as "secretId", h.sealed_secret as "sealedSecret",
        case when h.earlier_ends_at > clock.now then h.earlier_secret_id end as "earlierSecretId",
        case when h.earlier_ends_at > clock.now then h.earlier_sealed_secret end as "earlierSealedSecret",
        (extract(epoch from clock.now) * 1000)::double precision as "nowMs"
      from (select app_now() as now offset 0) clock, agent_hooks h join agents a on a.id = h.agent_id
      where h.id = ${id} and a.status = 'active'`
    const row = rows[0]
    if (row === undefined) return undefined
    const { secretId, sealedSecret, earlierSecretId, earlierSealedSecret, ...target } = row
    const secrets = [{ secretId, sealedSecret }]
    if (earlierSecretId !== null && earlierSealedSecret !== null)
      secrets.push({ secretId: earlierSecretId, sealedSecret: earlierSealedSecret })
    return { ...target, secrets }
  },

  /** Accepts a delivery for this run; returns the run that it was accepted for, which may be an earlier one. */
  async accept(
    tx: Queryable,
    { hookId, deliveryId, runId }: { hookId: string; deliveryId: string; runId: string },
  ): Promise<string> {
    const taken = await tx`
      with taken as (
        insert into agent_hook_deliveries (hook_id, delivery_id, run_id) values (${hookId}, ${deliveryId}, ${runId})
        on conflict do nothing returning 1)
      update agent_hooks set last_delivery_at = date_trunc('milliseconds', app_now())
      where id = ${hookId} and exists (select from taken)`
    if (taken.count === 1) return runId
    const rows = await tx<{ runId: string }[]>`
      select run_id as "runId" from agent_hook_deliveries where hook_id = ${hookId} and delivery_id = ${deliveryId}`
    return rows[0]?.runId ?? runId
  },
}
