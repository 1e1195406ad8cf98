import type { AuditEventType, CreateAgentHook, Fail } from '@symbolon/api'
import type { Queryable, Sql, Transaction } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Audit } from '../../audit/index.ts'
import type { Run } from '../runs/agent-run.ts'
import type { StartRun } from '../runs/agent-runs.ts'
import { type AgentHookRow, agentHooksStore, type HookTarget } from './agent-hooks.store.ts'
import { type Delivery, signedDelivery } from './hook-signatures.ts'

/** An agent of an organization, and who changes its hooks. */
export type HookOwner = { organizationId: string; agentId: string; userId: string }

/** How secrets are made and kept; the owner binds a sealed one to its row. */
export type HookSecrets = {
  mint(): string
  seal(owner: { organizationId: string; secretId: string }, secret: string): Promise<Uint8Array>
  open(owner: { organizationId: string; secretId: string }, sealed: Uint8Array): Promise<string>
}

const payloadWords = 'the payload of the delivery'

/** Inbound hooks: other systems start runs of an agent, by deliveries that only they can sign and that count once. */
export function agentHooks({
  sql,
  ids,
  audit,
  secrets,
  insertRun,
  onStarted,
}: {
  sql: Sql
  ids: Ids
  audit: Audit
  secrets: HookSecrets
  insertRun: (tx: Queryable, run: StartRun & { id: string }) => Promise<Run | undefined>
  onStarted: () => void
}) {
  async function freshSecret(organizationId: string) {
    const secretId = ids.next()
    const secret = secrets.mint()
    const sealedSecret = await secrets.seal({ organizationId, secretId }, secret)
    return { secret, stored: { secretId, sealedSecret, secretHint: secret.slice(-4) } }
  }

  const record = (
    tx: Transaction,
    type: Extract<AuditEventType, `agent_hook.${string}`>,
    { organizationId, agentId, userId }: HookOwner,
    hookId: string,
  ) =>
    audit.append(tx, {
      organizationId,
      type,
      actorType: 'portal_user',
      actorId: userId,
      payload: { agent_id: agentId, hook_id: hookId },
      success: true,
    })

  return {
    list: ({ organizationId, agentId }: Omit<HookOwner, 'userId'>): Promise<AgentHookRow[]> =>
      agentHooksStore.list(sql, organizationId, agentId),

    /** Makes a hook; its secret is known this once. Nothing where the agent is not there, or archived. */
    async create(
      owner: HookOwner,
      { name, style = 'standard', objective_template }: CreateAgentHook,
    ): Promise<{ hook: AgentHookRow; secret: string } | undefined> {
      const { organizationId, agentId } = owner
      const { secret, stored } = await freshSecret(organizationId)
      return sql.begin(async (tx) => {
        const hook = await agentHooksStore.insert(tx, {
          id: ids.next(),
          organizationId,
          agentId,
          name,
          style,
          objectiveTemplate: objective_template,
          ...stored,
        })
        if (hook === undefined) return undefined
        await record(tx, 'agent_hook.created', owner, hook.id)
        return { hook, secret }
      })
    },

    /** Removes a hook: deliveries to it are refused from then on. */
    async remove(owner: HookOwner, id: string, fail: Fail<'not_found'>): Promise<void> {
      await sql.begin(async (tx) => {
        if (!(await agentHooksStore.remove(tx, { ...owner, id }))) throw fail('not_found')
        await record(tx, 'agent_hook.removed', owner, id)
      })
    },

    /**
     * Another secret, known this once; the one before it stays good for 24 h. Nothing where the hook is not there, or its agent is
     * archived.
     */
    async rotateSecret(
      owner: HookOwner,
      id: string,
    ): Promise<{ hook: AgentHookRow; secret: string } | undefined> {
      const { secret, stored } = await freshSecret(owner.organizationId)
      return sql.begin(async (tx) => {
        const hook = await agentHooksStore.rotate(tx, { ...owner, id }, stored)
        if (hook === undefined) return undefined
        await record(tx, 'agent_hook.secret_rotated', owner, id)
        return { hook, secret }
      })
    },

    /** What a delivery to a hook is checked against; undefined without such a hook of an active agent. */
    target: (id: string): Promise<HookTarget | undefined> => agentHooksStore.target(sql, id),

    /** The id of a delivery that the hook's secret has signed; undefined for any other. */
    async signed(target: HookTarget, delivery: Delivery): Promise<string | undefined> {
      const { organizationId, style, nowMs } = target
      const opened = await Promise.all(
        target.secrets.map(({ secretId, sealedSecret }) =>
          secrets.open({ organizationId, secretId }, sealedSecret),
        ),
      )
      return signedDelivery(style, delivery, opened, nowMs)
    },

    /**
     * Starts the run of a delivery that was signed; the same delivery again answers the same run. Its payload is data beside the
     * objective, which comes from the hook's template only.
     */
    async deliver(
      { id: hookId, organizationId, agentId, objectiveTemplate }: HookTarget,
      deliveryId: string,
      payload: unknown,
      fail: Fail<'not_found'>,
    ): Promise<{ runId: string; isNew: boolean }> {
      const id = ids.next()
      const answered = await sql.begin(async (tx) => {
        const runId = await agentHooksStore.take(tx, { hookId, deliveryId, runId: id })
        if (runId !== id) return { runId, isNew: false }
        const run = await insertRun(tx, {
          id,
          organizationId,
          agentId,
          caller: { kind: 'hook', hookId },
          objective: objectiveTemplate.replaceAll('{{payload}}', payloadWords),
          data: payload,
        })
        if (run === undefined) throw fail('not_found')
        return { runId, isNew: true }
      })
      if (answered.isNew) onStarted()
      return answered
    },
  }
}

/** Inbound hooks, as the routes use them. */
export type AgentHooks = ReturnType<typeof agentHooks>
