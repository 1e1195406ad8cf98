import {
  type AgentHook,
  createAgentHook as create,
  deliverToAgentHook,
  listAgentHooks,
  removeAgentHook as remove,
  rotateAgentHookSecret as rotateSecret,
} from '@symbolon/api'
import { bodyWeight } from '../../../http/body-weight.ts'
import { successBody } from '../../../http/envelope.ts'
import { on } from '../../../http/handler.ts'
import type { JsonBody } from '../../../http/json-body.ts'
import type { Limiter } from '../../../http/limiter.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import { onRaw, type RawAnswer, type RawCall } from '../../../http/raw-handler.ts'
import { clientBlock } from '../../../runtime/client-block.ts'
import { type Failure, failure, isFailure, mapResult } from '../../../runtime/failure.ts'
import { agentRunsStore } from '../runs/agent-runs.store.ts'
import { type AgentHookRow, agentHooksStore } from './agent-hooks.store.ts'
import {
  type AgentHooksCtx,
  acceptDelivery,
  createAgentHook,
  type HookWithSecret,
  removeAgentHook,
  rotateAgentHookSecret,
  verifyDelivery,
} from './agent-hooks.ts'

/** Inbound hooks in the portal, and the address that deliveries come to. */
export function agentHooksRoutes(ctx: AgentHooksCtx, limiter: Limiter, baseUrl: string) {
  const wire = (hook: AgentHookRow) => hookToWire(hook, baseUrl)
  const wireNew = ({ hook, secret }: HookWithSecret) => ({ ...wire(hook), secret })
  return [
    on(listAgentHooks, async ({ principal, params }) => {
      const { organizationId, agentId } = ownerOf(principal, params)
      const status = await agentRunsStore.agentStatus(ctx.sql, organizationId, agentId)
      if (status === undefined) return failure('not_found')
      return { items: (await agentHooksStore.list(ctx.sql, organizationId, agentId)).map(wire) }
    }),

    on(create, async ({ principal, params, body }) =>
      mapResult(await createAgentHook(ctx, ownerOf(principal, params), body), wireNew),
    ),

    on(remove, ({ principal, params }) => removeAgentHook(ctx, ownerOf(principal, params), params.hookID)),

    on(rotateSecret, async ({ principal, params }) =>
      mapResult(await rotateAgentHookSecret(ctx, ownerOf(principal, params), params.hookID), wireNew),
    ),

    onRaw(deliverToAgentHook, (call) => deliver(ctx, limiter, call)),
  ]
}

/** The signature first: deliveries that anybody can send use up nothing of the rate of those who can sign. */
async function deliver(
  ctx: AgentHooksCtx,
  limiter: Limiter,
  { params, rawBody, readJson, headers, rate, request }: RawCall<typeof deliverToAgentHook>,
): Promise<RawAnswer | Failure<'not_found' | 'unauthorized' | 'rate_limited' | 'invalid_request'>> {
  const target = await agentHooksStore.target(ctx.sql, params.hookID)
  if (target === undefined) return failure('not_found')
  const deliveryId = await verifyDelivery(ctx, target, { headers, rawBody })
  const grant = await (deliveryId === undefined
    ? limiter.acquire(
        'agent-hook-junk',
        `${target.id}:${clientBlock(request.address)}`,
        bodyWeight(rawBody.length),
      )
    : limiter.acquire('agent-hook', target.id, bodyWeight(rawBody.length)))
  rate(grant)
  if (!grant.isGranted)
    return failure('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(grant.retrySeconds)) })
  if (deliveryId === undefined) return failure('unauthorized')
  const accepted = await acceptDelivery(ctx, target, deliveryId, payloadOf(rawBody, await readJson()))
  if (isFailure(accepted)) return accepted
  return {
    status: accepted.isNew ? 202 : 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: successBody({ run_id: accepted.runId }),
  }
}

const hookToWire = (hook: AgentHookRow, baseUrl: string): AgentHook => ({
  id: hook.id,
  agent_id: hook.agentId,
  name: hook.name,
  style: hook.style,
  objective_template: hook.objectiveTemplate,
  url: `${baseUrl}/v1/hooks/agents/${hook.id}`,
  secret_hint: hook.secretHint,
  created_at: hook.createdAt.toISOString(),
  last_delivery_at: hook.lastDeliveryAt?.toISOString() ?? null,
})

const ownerOf = ({ organization, user }: MemberPrincipal, { agentID }: { agentID: string }) => ({
  organizationId: organization.id,
  agentId: agentID,
  userId: user.id,
})

/** The body as JSON, or as text where the API would not accept it as JSON. */
const payloadOf = (rawBody: Uint8Array, { value, refusal }: JsonBody): unknown =>
  refusal === undefined ? value : Buffer.from(rawBody).toString('utf8')
