import * as z from 'zod'
import { AgentHooks, AgentHookWithSecret, CreateAgentHook, HookDelivered } from '../agent-hook.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const AgentParams = z.strictObject({ orgID: Id, agentID: Id })
const HookParams = z.strictObject({ orgID: Id, agentID: Id, hookID: Id })

/** The inbound hooks of an agent. */
export const listAgentHooks = {
  id: 'agentHooks.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agents/{agentID}/hooks',
  lane: 'portal',
  role: 'viewer',
  summary: 'List inbound hooks',
  params: AgentParams,
  status: 200,
  data: AgentHooks,
  errors: [],
} as const satisfies Route

/** Creates an inbound hook. */
export const createAgentHook = {
  id: 'agentHooks.create',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agents/{agentID}/hooks',
  lane: 'portal',
  role: 'developer',
  summary: 'Create an inbound hook',
  params: AgentParams,
  body: CreateAgentHook,
  status: 201,
  data: AgentHookWithSecret,
  errors: ['agent_archived'],
  bearsCredential: true,
  limit: 'portal-change',
} as const satisfies Route

/** Removes an inbound hook. */
export const removeAgentHook = {
  id: 'agentHooks.remove',
  method: 'DELETE',
  path: '/v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}',
  lane: 'portal',
  role: 'developer',
  summary: 'Remove an inbound hook',
  params: HookParams,
  status: 204,
  errors: [],
} as const satisfies Route

/** Gives a hook a new secret beside the old one. */
export const rotateAgentHookSecret = {
  id: 'agentHooks.rotateSecret',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agents/{agentID}/hooks/{hookID}/rotate-secret',
  lane: 'portal',
  role: 'developer',
  summary: 'Rotate the secret of an inbound hook',
  description: 'The previous secret stays valid for 24 hours.',
  params: HookParams,
  status: 200,
  data: AgentHookWithSecret,
  errors: ['agent_archived'],
  bearsCredential: true,
} as const satisfies Route

/** Takes a delivery of an upstream system and starts a run. */
export const deliverToAgentHook = {
  id: 'agentHooks.deliver',
  method: 'POST',
  path: '/v1/hooks/agents/{hookID}',
  lane: 'public',
  handler: 'raw',
  summary: 'Trigger a run of an agent',
  description:
    'Sign the raw body with the hook’s secret; signatures are valid for 300 seconds. Returns 202 with the run. A repeated delivery returns 200 with the same run.',
  params: z.strictObject({ hookID: Id }),
  status: 202,
  data: HookDelivered,
  errors: ['invalid_request', 'unauthorized', 'rate_limited', 'unavailable'],
} as const satisfies Route
