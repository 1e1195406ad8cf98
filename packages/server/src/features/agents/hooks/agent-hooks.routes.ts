import {
  type AgentHook,
  createAgentHook,
  deliverToAgentHook,
  listAgentHooks,
  removeAgentHook,
  rotateAgentHookSecret,
} from '@symbolon/api'
import { successBody } from '../../../http/envelope.ts'
import { on } from '../../../http/handler.ts'
import { parseJsonBody } from '../../../http/json-body.ts'
import type { Limiter } from '../../../http/limiter.ts'
import type { MemberPrincipal } from '../../../http/principal.ts'
import { onRaw } from '../../../http/raw-handler.ts'
import type { AgentHookRow } from './agent-hooks.store.ts'
import type { AgentHooks } from './agent-hooks.ts'

type AgentStatusOf = (organizationId: string, agentId: string) => Promise<'active' | 'archived' | undefined>

/** Inbound hooks in the portal, and the address that deliveries come to. */
export function agentHooksRoutes({
  hooks,
  limiter,
  baseUrl,
  agentStatusOf,
}: {
  hooks: AgentHooks
  limiter: Limiter
  baseUrl: string
  agentStatusOf: AgentStatusOf
}) {
  const wire = (hook: AgentHookRow): AgentHook => ({
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

  /** Why there is nothing to change. */
  const missing = async ({ organizationId, agentId }: ReturnType<typeof ownerOf>) =>
    (await agentStatusOf(organizationId, agentId)) === 'archived' ? 'agent_archived' : 'not_found'

  return [
    on(listAgentHooks, async ({ principal, params, fail }) => {
      const owner = ownerOf(principal, params)
      if ((await agentStatusOf(owner.organizationId, owner.agentId)) === undefined) throw fail('not_found')
      return { items: (await hooks.list(owner)).map(wire) }
    }),

    on(createAgentHook, async ({ principal, params, body, fail }) => {
      const owner = ownerOf(principal, params)
      const made = await hooks.create(owner, body)
      if (made !== undefined) return { ...wire(made.hook), secret: made.secret }
      throw fail(await missing(owner))
    }),

    on(removeAgentHook, async ({ principal, params, fail }) => {
      await hooks.remove(ownerOf(principal, params), params.hookID, fail)
    }),

    on(rotateAgentHookSecret, async ({ principal, params, fail }) => {
      const owner = ownerOf(principal, params)
      const rotated = await hooks.rotateSecret(owner, params.hookID)
      if (rotated !== undefined) return { ...wire(rotated.hook), secret: rotated.secret }
      throw fail(await missing(owner))
    }),

    onRaw(deliverToAgentHook, async ({ params, rawBody, headers, rate, request, fail }) => {
      const target = await hooks.target(params.hookID)
      if (target === undefined) throw fail('not_found')
      const admit = async (name: 'agent-hook' | 'agent-hook-junk', key: string) => {
        const grant = await limiter.acquire(name, key)
        rate(grant)
        if (!grant.isGranted)
          throw fail('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(grant.retrySeconds)) })
      }
      // The signature first: what anybody can send takes nothing of the hook's rate from those who can sign.
      const deliveryId = await hooks.signed(target, { headers, rawBody })
      if (deliveryId === undefined) {
        await admit('agent-hook-junk', `${target.id}:${request.address}`)
        throw fail('unauthorized')
      }
      await admit('agent-hook', target.id)
      const { runId, isNew } = await hooks.deliver(target, deliveryId, payloadOf(rawBody), fail)
      return {
        status: isNew ? 202 : 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: successBody({ run_id: runId }),
      }
    }),
  ]
}

const ownerOf = ({ organization, user }: MemberPrincipal, { agentID }: { agentID: string }) => ({
  organizationId: organization.id,
  agentId: agentID,
  userId: user.id,
})

/** The body as JSON, or as text where it is none that we would take anywhere else. */
function payloadOf(rawBody: Uint8Array): unknown {
  const bytes = Buffer.from(rawBody)
  try {
    return parseJsonBody(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
