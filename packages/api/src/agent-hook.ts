import * as z from 'zod'
import { DisplayName, Id, Prose, Timestamp } from './formats.ts'

/** Whose signature a hook's deliveries carry: Standard Webhooks, Stripe's or GitHub's. */
export const HookStyle = z.enum(['standard', 'stripe', 'github']).meta({ id: 'HookStyle' })

/** A new inbound hook; the objective of its runs comes from the template only, the delivery is data beside it. */
export const CreateAgentHook = z
  .strictObject({
    name: DisplayName,
    style: HookStyle.exactOptional(),
    objective_template: Prose.min(1).max(8192),
  })
  .meta({ id: 'CreateAgentHook' })

const shape = {
  id: Id,
  agent_id: Id,
  name: z.string(),
  style: HookStyle,
  objective_template: z.string(),
  url: z.string(),
  secret_hint: z.string(),
  created_at: Timestamp,
  last_delivery_at: Timestamp.nullable(),
}

/** An inbound hook. */
export const AgentHook = z.strictObject(shape).meta({ id: 'AgentHook' })

/** A hook with its secret, which is returned only here. */
export const AgentHookWithSecret = z
  .strictObject({ ...shape, secret: z.string().meta({ description: '`whsec_…`, shown once.' }) })
  .meta({ id: 'AgentHookWithSecret' })

/** All hooks of an agent. */
export const AgentHooks = z.strictObject({ items: z.array(AgentHook) }).meta({ id: 'AgentHooks' })

/** The run that a delivery started. */
export const HookDelivered = z.strictObject({ run_id: Id }).meta({ id: 'HookDelivered' })

/** A hook as the API returns it. */
export type AgentHook = z.output<typeof AgentHook>
/** A new hook, parsed. */
export type CreateAgentHook = z.output<typeof CreateAgentHook>
