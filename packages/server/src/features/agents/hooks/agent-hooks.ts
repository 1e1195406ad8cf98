import type { AuditEventType, CreateAgentHook } from '@symbolon/api'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Kms } from '../../../ports/kms.ts'
import type { Random } from '../../../ports/random.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import type { Audit } from '../../audit/index.ts'
import { mintWebhookSecret, openSecret, sealSecret } from '../../webhooks/index.ts'
import { agentRunsStore } from '../runs/agent-runs.store.ts'
import { announceRuns, insertRefusal, insertRun, type RunsCtx } from '../runs/agent-runs.ts'
import { type AgentHookRow, agentHooksStore, type HookTarget } from './agent-hooks.store.ts'
import { type Delivery, signedDelivery } from './hook-signatures.ts'

/**
 * The context for managing inbound hooks. Other systems start runs of an agent by hooks: by deliveries that only they can sign, and that count
 * once.
 */
export type AgentHooksCtx = { sql: Sql; ids: Ids; audit: Audit; kms: Kms; random: Random; runs: RunsCtx }

/** An agent of an organization, and who changes its hooks. */
export type HookOwner = { organizationId: string; agentId: string; userId: string }

/** A hook with a new secret, which is known this once. */
export type HookWithSecret = { hook: AgentHookRow; secret: string }

/** Stands for the payload in the objective. */
const payloadWords = 'the payload of the delivery'

/** Makes a hook. */
export async function createAgentHook(
  ctx: AgentHooksCtx,
  owner: HookOwner,
  { name, style = 'standard', objective_template: objectiveTemplate }: CreateAgentHook,
): Promise<HookWithSecret | Failure<'not_found' | 'agent_archived'>> {
  const { organizationId, agentId } = owner
  const { secret, stored } = await newSecret(ctx, organizationId)
  const row = { id: ctx.ids.next(), organizationId, agentId, name, style, objectiveTemplate, ...stored }
  const hook = await ctx.sql.begin(async (tx) => {
    const inserted = await agentHooksStore.insert(tx, row)
    if (inserted !== undefined) await record(ctx, tx, 'agent_hook.created', owner, inserted.id)
    return inserted
  })
  return hook === undefined ? missing(ctx, owner) : { hook, secret }
}

/** Removes a hook: from then on, its deliveries are refused. */
export const removeAgentHook = (
  ctx: AgentHooksCtx,
  owner: HookOwner,
  id: string,
): Promise<undefined | Failure<'not_found'>> =>
  ctx.sql.begin(async (tx) => {
    if (!(await agentHooksStore.remove(tx, { ...owner, id }))) return failure('not_found')
    await record(ctx, tx, 'agent_hook.removed', owner, id)
    return undefined
  })

/** Gives a hook another secret; the last one stays valid for 24 h. */
export async function rotateAgentHookSecret(
  ctx: AgentHooksCtx,
  owner: HookOwner,
  id: string,
): Promise<HookWithSecret | Failure<'not_found' | 'agent_archived'>> {
  const { secret, stored } = await newSecret(ctx, owner.organizationId)
  const hook = await ctx.sql.begin(async (tx) => {
    const rotated = await agentHooksStore.rotate(tx, { ...owner, id }, stored)
    if (rotated !== undefined) await record(ctx, tx, 'agent_hook.secret_rotated', owner, id)
    return rotated
  })
  return hook === undefined ? missing(ctx, owner) : { hook, secret }
}

/** The id of a delivery that the hook's secret has signed; undefined for any other. */
export async function verifyDelivery(
  { kms }: AgentHooksCtx,
  { organizationId, style, nowMs, secrets }: HookTarget,
  delivery: Delivery,
): Promise<string | undefined> {
  const opened = await Promise.all(
    secrets.map(({ secretId, sealedSecret }) => openSecret(kms, { organizationId, secretId }, sealedSecret)),
  )
  return signedDelivery(style, delivery, opened, nowMs)
}

/**
 * Starts the run of a verified delivery; the same delivery again returns the same run. Its payload is data beside the objective, which
 * comes from the hook's template only.
 */
export async function acceptDelivery(
  { sql, ids, runs }: AgentHooksCtx,
  { id: hookId, organizationId, agentId, objectiveTemplate }: HookTarget,
  deliveryId: string,
  payload: unknown,
): Promise<{ runId: string; isNew: boolean } | Failure<'not_found' | 'invalid_request'>> {
  const id = ids.next()
  const accepted = await sql.begin(async (tx) => {
    const runId = await agentHooksStore.accept(tx, { hookId, deliveryId, runId: id })
    if (runId !== id) return { runId, isNew: false }
    const started = {
      ...{ id, organizationId, agentId, caller: { kind: 'hook', hookId } as const, data: payload },
      // At most 20 KB: a template of 8192 characters has few places.
      objective: objectiveTemplate.replaceAll('{{payload}}', payloadWords),
    }
    if ((await insertRun(runs.tokenKeys, tx, started)) !== undefined) return { runId, isNew: true }
    const refusal = await insertRefusal(tx, started)
    return refusal.code === 'invalid_request' ? failure(refusal.code, refusal) : failure('not_found')
  })
  if (!isFailure(accepted) && accepted.isNew) announceRuns(runs)
  return accepted
}

async function newSecret({ ids, kms, random }: AgentHooksCtx, organizationId: string) {
  const secretId = ids.next()
  const secret = mintWebhookSecret(random)
  const sealedSecret = await sealSecret(kms, { organizationId, secretId }, secret)
  return { secret, stored: { secretId, sealedSecret, secretHint: secret.slice(-4) } }
}

/** Why there is nothing to change. */
async function missing({ sql }: AgentHooksCtx, { organizationId, agentId }: HookOwner) {
  const status = await agentRunsStore.agentStatus(sql, organizationId, agentId)
  return failure(status === 'archived' ? 'agent_archived' : 'not_found')
}

const record = (
  { audit }: AgentHooksCtx,
  tx: Transaction,
  type: Extract<AuditEventType, `agent_hook.${string}`>,
  { organizationId, agentId, userId }: HookOwner,
  hookId: string,
): Promise<void> =>
  audit.append(tx, {
    organizationId,
    type,
    actorType: 'portal_user',
    actorId: userId,
    payload: { agent_id: agentId, hook_id: hookId },
    success: true,
  })
