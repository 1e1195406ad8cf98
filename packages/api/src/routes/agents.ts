import * as z from 'zod'
import { Agent, AgentPage, ChangeAgent, CreateAgent, ListAgents } from '../agent.ts'
import { PutRules, StoredRules } from '../agent-policy.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const OrgParams = z.strictObject({ orgID: Id })
const AgentParams = z.strictObject({ orgID: Id, agentID: Id })

/** The company's agents. */
export const listAgents = {
  id: 'agents.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agents',
  lane: 'portal',
  role: 'viewer',
  isLongAnswer: true,
  summary: 'List agents, newest first',
  params: OrgParams,
  query: ListAgents,
  status: 200,
  data: AgentPage,
  errors: [],
  limit: 'portal-list',
} as const satisfies Route

/** Makes an agent. */
export const createAgent = {
  id: 'agents.create',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agents',
  lane: 'portal',
  role: 'developer',
  summary: 'Create an agent',
  params: OrgParams,
  body: CreateAgent,
  status: 201,
  data: Agent,
  errors: ['wallet_not_found', 'wallet_not_tee_mode', 'wallet_archived', 'chain_unsupported'],
  limit: 'portal-change',
} as const satisfies Route

/** One agent. */
export const getAgent = {
  id: 'agents.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agents/{agentID}',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read an agent',
  params: AgentParams,
  status: 200,
  data: Agent,
  errors: [],
} as const satisfies Route

/** Changes an agent. */
export const changeAgent = {
  id: 'agents.change',
  method: 'PATCH',
  path: '/v1/orgs/{orgID}/agents/{agentID}',
  lane: 'portal',
  role: 'developer',
  summary: 'Change an agent',
  description:
    'A policy replaces the old one and applies once this returns. It never widens existing sessions.',
  params: AgentParams,
  body: ChangeAgent,
  status: 200,
  data: Agent,
  errors: ['agent_archived', 'chain_unsupported'],
} as const satisfies Route

/** Ends an agent for good. */
export const archiveAgent = {
  id: 'agents.archive',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agents/{agentID}/archive',
  lane: 'portal',
  role: 'developer',
  summary: 'Archive an agent',
  description:
    'Revokes its sessions, cancels its runs and removes its card (404). Archiving again returns 204.',
  params: AgentParams,
  status: 204,
  errors: [],
} as const satisfies Route

/** The rules that all agents obey. */
export const getRules = {
  id: 'rules.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}/rules',
  lane: 'portal',
  role: 'admin',
  summary: "Read the organization's rules for agents",
  params: OrgParams,
  status: 200,
  data: StoredRules,
  errors: [],
} as const satisfies Route

/** Sets the rules that all agents obey. */
export const putRules = {
  id: 'rules.put',
  method: 'PUT',
  path: '/v1/orgs/{orgID}/rules',
  lane: 'portal',
  role: 'admin',
  summary: "Replace the organization's rules for agents",
  description:
    'Takes the rules themselves, or the body that GET returns. Once this returns, nothing is signed under the old rules.',
  params: OrgParams,
  body: PutRules,
  status: 200,
  data: StoredRules,
  errors: ['chain_unsupported'],
  limit: 'portal-change',
} as const satisfies Route
