import * as z from 'zod'
import { AgentEventPage, ListAgentEvents } from '../agent-event.ts'
import {
  AgentSession,
  AgentSessionPage,
  ListAgentSessions,
  MintAgentSession,
  MintedAgentSession,
} from '../agent-session.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const SessionParams = z.strictObject({ id: Id })
const OrgParams = z.strictObject({ orgID: Id })
const OrgSessionParams = z.strictObject({ orgID: Id, sessionID: Id })

/** Mints a token under limits. */
export const mintAgentSession = {
  id: 'agentSessions.mint',
  method: 'POST',
  path: '/v1/s2s/agent-sessions',
  lane: 'secret',
  scope: 'full',
  limit: 's2s',
  summary: 'Mint an agent session',
  description:
    'Fields that the organization or the agent limits further are clipped and named in `clipped`. The token is shown once and not stored.',
  body: MintAgentSession,
  examples: {
    'Payments to one recipient': {
      wallet_id: '0198c6a2-7d1e-7c3a-9f00-2b6f5d1c8e44',
      name: 'invoices',
      max_spend_per_tx_native: '100000000000000000',
      max_spend_total_native: '250000000000000000',
      allowed_chains: ['base'],
      allowed_methods: ['signMessage', 'sendTransaction'],
      allowed_recipients: ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
      max_fee_per_tx_native: '1000000000000000',
      expires_at: '2030-01-31T18:00:00Z',
    },
  },
  status: 201,
  data: MintedAgentSession,
  errors: [
    'wallet_not_found',
    'wallet_not_tee_mode',
    'wallet_archived',
    'not_found',
    'agent_archived',
    'chain_unsupported',
  ],
  bearsCredential: true,
} as const satisfies Route

/** A page of sessions. */
export const listAgentSessions = {
  id: 'agentSessions.list',
  method: 'GET',
  path: '/v1/s2s/agent-sessions',
  lane: 'secret',
  scope: 'read',
  limit: 's2s',
  isLongAnswer: true,
  summary: 'List agent sessions, newest first',
  query: ListAgentSessions,
  status: 200,
  data: AgentSessionPage,
  errors: [],
} as const satisfies Route

/** One session. */
export const getAgentSession = {
  id: 'agentSessions.get',
  method: 'GET',
  path: '/v1/s2s/agent-sessions/{id}',
  lane: 'secret',
  scope: 'read',
  limit: 's2s',
  summary: 'Read an agent session',
  params: SessionParams,
  status: 200,
  data: AgentSession,
  errors: [],
} as const satisfies Route

/** Ends a session. */
export const revokeAgentSession = {
  id: 'agentSessions.revoke',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agent-sessions/{sessionID}/revoke',
  lane: 'portal_or_secret',
  scope: 'full',
  role: 'developer',
  summary: 'Revoke an agent session',
  description: 'Once this returns, nothing signs for the session. Revoking again returns 200.',
  params: OrgSessionParams,
  status: 200,
  data: AgentSession,
  errors: [],
} as const satisfies Route

/** The company's sessions, in the portal. */
export const listOrgAgentSessions = {
  id: 'agentSessions.listForOrg',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agent-sessions',
  lane: 'portal',
  role: 'viewer',
  isLongAnswer: true,
  summary: 'List agent sessions, newest first',
  params: OrgParams,
  query: ListAgentSessions,
  status: 200,
  data: AgentSessionPage,
  errors: [],
  limit: 'portal-list',
} as const satisfies Route

/** One of the company's sessions, in the portal. */
export const getOrgAgentSession = {
  id: 'agentSessions.getForOrg',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agent-sessions/{sessionID}',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read an agent session',
  params: OrgSessionParams,
  status: 200,
  data: AgentSession,
  errors: [],
} as const satisfies Route

/** What a session tried. */
export const listAgentSessionEvents = {
  id: 'agentSessions.events',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agent-sessions/{sessionID}/events',
  lane: 'portal',
  role: 'viewer',
  summary: 'List the signing requests of a session, newest first',
  params: OrgSessionParams,
  query: ListAgentEvents,
  status: 200,
  data: AgentEventPage,
  errors: [],
} as const satisfies Route
