import * as z from 'zod'
import { AgentEventPage, ListAgentEvents } from '../agent-event.ts'
import { AgentRun, AgentRunDetail, AgentRunPage, ListAgentRuns, StartAgentRun } from '../agent-run.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

const AgentParams = z.strictObject({ orgID: Id, agentID: Id })
const RunParams = z.strictObject({ orgID: Id, agentID: Id, runID: Id })

/** The runs of an agent. */
export const listAgentRuns = {
  id: 'agentRuns.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agents/{agentID}/runs',
  lane: 'portal',
  role: 'viewer',
  summary: 'List runs, newest first',
  description:
    'Objectives and results are cut to their first 4096 characters and named in `truncated`. Read the run for the whole text.',
  params: AgentParams,
  query: ListAgentRuns,
  status: 200,
  data: AgentRunPage,
  errors: [],
} as const satisfies Route

/** Starts a run from the portal. */
export const startAgentRun = {
  id: 'agentRuns.start',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agents/{agentID}/runs',
  lane: 'portal',
  role: 'developer',
  summary: 'Start a run',
  params: AgentParams,
  body: StartAgentRun,
  status: 201,
  data: AgentRun,
  errors: ['agent_archived'],
  limit: 'portal-change',
} as const satisfies Route

/** One run, with its journal. */
export const getAgentRun = {
  id: 'agentRuns.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agents/{agentID}/runs/{runID}',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read a run',
  params: RunParams,
  status: 200,
  data: AgentRunDetail,
  errors: [],
} as const satisfies Route

/** Ends a run and its children. */
export const cancelAgentRun = {
  id: 'agentRuns.cancel',
  method: 'POST',
  path: '/v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/cancel',
  lane: 'portal',
  role: 'developer',
  summary: 'Cancel a run and its children',
  description: 'Canceling a finished run changes nothing.',
  params: RunParams,
  status: 200,
  data: AgentRun,
  errors: [],
} as const satisfies Route

/** What a run tried to sign. */
export const listAgentRunEvents = {
  id: 'agentRuns.events',
  method: 'GET',
  path: '/v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/events',
  lane: 'portal',
  role: 'viewer',
  summary: 'List the signing requests of a run, newest first',
  params: RunParams,
  query: ListAgentEvents,
  status: 200,
  data: AgentEventPage,
  errors: [],
} as const satisfies Route
