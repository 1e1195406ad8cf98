import { unwrap } from '@symbolon/sdk/portal'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { portalClient, type Query } from './portal-client.ts'

const { call } = portalClient
const livelyMs = 5_000

/** A page of agents, newest first. */
export const agentsQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/agents'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'agents', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/agents', { params: { orgID }, query, signal })),
  })

/** One agent. */
export const agentQuery = (orgID: string, agentID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID],
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/agents/{agentID}', { params: { orgID, agentID }, signal })),
  })

/** The inbound hooks of an agent. */
export const hooksQuery = (orgID: string, agentID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'hooks'],
    queryFn: async ({ signal }) =>
      unwrap(
        await call('GET /v1/orgs/{orgID}/agents/{agentID}/hooks', { params: { orgID, agentID }, signal }),
      ).items,
  })

/** A page of sessions, newest first; what they have spent is asked for again every few seconds. */
export const sessionsQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/agent-sessions'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent-sessions', query],
    placeholderData: keepPreviousData,
    refetchInterval: livelyMs,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/agent-sessions', { params: { orgID }, query, signal })),
  })

/** One session with its budget, asked for again every few seconds. */
export const agentSessionQuery = (orgID: string, sessionID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent-session', sessionID],
    refetchInterval: livelyMs,
    queryFn: async ({ signal }) =>
      unwrap(
        await call('GET /v1/orgs/{orgID}/agent-sessions/{sessionID}', {
          params: { orgID, sessionID },
          signal,
        }),
      ),
  })

/** A page of what a session tried to sign, newest first. */
export const sessionEventsQuery = (
  orgID: string,
  sessionID: string,
  query: Query<'GET /v1/orgs/{orgID}/agent-sessions/{sessionID}/events'>,
) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent-session', sessionID, 'events', query],
    placeholderData: keepPreviousData,
    refetchInterval: livelyMs,
    queryFn: async ({ signal }) =>
      unwrap(
        await call('GET /v1/orgs/{orgID}/agent-sessions/{sessionID}/events', {
          params: { orgID, sessionID },
          query,
          signal,
        }),
      ),
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
    refetchInterval: livelyMs,
    queryFn: async ({ signal }) =>
      unwrap(
        await call('GET /v1/orgs/{orgID}/agents/{agentID}/runs', {
          params: { orgID, agentID },
          query,
          signal,
        }),
      ),
  })

/** One run with its journal. */
export const runQuery = (orgID: string, agentID: string, runID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'run', runID],
    queryFn: async ({ signal }) =>
      unwrap(
        await call('GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}', {
          params: { orgID, agentID, runID },
          signal,
        }),
      ),
  })

/**
 * The latest 50 things that a run tried to sign, newest first. What is said of a run that `hasEnded` was asked for after its end: no
 * answer from before stands beside its outcome.
 */
export const runEventsQuery = (orgID: string, agentID: string, runID: string, hasEnded: boolean) =>
  queryOptions({
    queryKey: ['org', orgID, 'agent', agentID, 'run', runID, 'events', hasEnded],
    refetchInterval: livelyMs,
    queryFn: async ({ signal }) =>
      unwrap(
        await call('GET /v1/orgs/{orgID}/agents/{agentID}/runs/{runID}/events', {
          params: { orgID, agentID, runID },
          query: { limit: 50 },
          signal,
        }),
      ),
  })

/** The rules that all agents obey. */
export const rulesQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'rules'],
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/rules', { params: { orgID }, signal })),
  })
