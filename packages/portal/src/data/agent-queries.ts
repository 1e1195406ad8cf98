import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, type Query } from './portal-client.ts'

const liveMs = 5_000

/** A page of agents, newest first. */
export const agentsQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/agents'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'agents', query],
    placeholderData: keepPreviousData,
    queryFn: get('GET /v1/orgs/{orgID}/agents', { params: { orgID }, query }),
  })

/** One agent. */
export const agentQuery = (orgID: string, agentID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID],
    queryFn: get('GET /v1/orgs/{orgID}/agents/{agentID}', { params: { orgID, agentID } }),
  })

/** The inbound hooks of an agent. */
export const hooksQuery = (orgID: string, agentID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'hooks'],
    queryFn: async (context) =>
      (await get('GET /v1/orgs/{orgID}/agents/{agentID}/hooks', { params: { orgID, agentID } })(context))
        .items,
  })

/** A page of sessions, newest first, reloaded every few seconds. */
export const sessionsQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/agent-sessions'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent-sessions', query],
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
    queryFn: get('GET /v1/orgs/{orgID}/agent-sessions', { params: { orgID }, query }),
  })

/** One session with its budget, reloaded every few seconds. */
export const agentSessionQuery = (orgID: string, sessionID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent-session', sessionID],
    refetchInterval: liveMs,
    queryFn: get('GET /v1/orgs/{orgID}/agent-sessions/{sessionID}', { params: { orgID, sessionID } }),
  })

/** A page of a session's signing requests, newest first. */
export const sessionEventsQuery = (
  orgID: string,
  sessionID: string,
  query: Query<'GET /v1/orgs/{orgID}/agent-sessions/{sessionID}/events'>,
) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent-session', sessionID, 'events', query],
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
    queryFn: get('GET /v1/orgs/{orgID}/agent-sessions/{sessionID}/events', {
      params: { orgID, sessionID },
      query,
    }),
  })

/** A page of an agent's runs, newest first. */
export const runsQuery = (
  orgID: string,
  agentID: string,
  query: Query<'GET /v1/orgs/{orgID}/agents/{agentID}/runs'>,
) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'runs', query],
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
    queryFn: get('GET /v1/orgs/{orgID}/agents/{agentID}/runs', { params: { orgID, agentID }, query }),
  })

/** One run with its journal. */
export const runQuery = (orgID: string, agentID: string, runID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'run', runID],
    queryFn: get('GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}', { params: { orgID, agentID, runID } }),
  })

/**
 * The latest 50 signing requests of a run, newest first. They are loaded again once the run `hasEnded`, so that an older answer
 * never stands beside its outcome.
 */
export const runEventsQuery = (orgID: string, agentID: string, runID: string, hasEnded: boolean) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'run', runID, 'events', hasEnded],
    refetchInterval: liveMs,
    queryFn: get('GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/events', {
      params: { orgID, agentID, runID },
      query: { limit: 50 },
    }),
  })

/** The rules for all agents. */
export const rulesQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'rules'],
    queryFn: get('GET /v1/orgs/{orgID}/rules', { params: { orgID } }),
  })
