import { unwrap } from '@symbolon/sdk/portal'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, portalClient, type Query } from './portal-client.ts'
import { isSignedOut } from './query-client.ts'

/** The session of the signed-in person; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async (context) => {
    try {
      return await get('GET /v1/auth/session', {})(context)
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
})

/** The companies of the signed-in person. */
export const organizationsQuery = queryOptions({
  queryKey: ['orgs'],
  staleTime: 60_000,
  queryFn: async (context) => (await get('GET /v1/orgs', {})(context)).items,
})

/** Usage per day between two days (`YYYY-MM-DD`, both included). */
export const usageQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/usage'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'usage', query],
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    queryFn: get('GET /v1/orgs/{orgID}/usage', { params: { orgID }, query }),
  })

/** A page of wallets, newest first. */
export const walletsQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/wallets'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'wallets', query],
    placeholderData: keepPreviousData,
    queryFn: get('GET /v1/orgs/{orgID}/wallets', { params: { orgID }, query }),
  })

/** One wallet. */
export const walletQuery = (orgID: string, walletID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'wallet', walletID],
    queryFn: get('GET /v1/orgs/{orgID}/wallets/{walletID}', { params: { orgID, walletID } }),
  })

/** A page of end users. */
export const usersQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/users'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'users', query],
    placeholderData: keepPreviousData,
    queryFn: get('GET /v1/orgs/{orgID}/users', { params: { orgID }, query }),
  })

/** All API keys that work and the newest of those that have ended, newest first. */
export const apiKeysQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'api-keys'],
    queryFn: async (context) =>
      (await get('GET /v1/orgs/{orgID}/api-keys', { params: { orgID } })(context)).items,
  })

/** The chains, with whether this platform has a node and a bundler for each. */
export const chainsQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'chains'],
    staleTime: 300_000,
    queryFn: async (context) =>
      (await get('GET /v1/orgs/{orgID}/chains', { params: { orgID } })(context)).items,
  })

/** The recovery webhook; null if none is set. */
export const webhookQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'webhook'],
    queryFn: async ({ signal }) => {
      const result = await portalClient.call('GET /v1/orgs/{orgID}/webhook', { params: { orgID }, signal })
      return result.error?.status === 404 ? null : unwrap(result)
    },
  })

/** The latest calls to the webhook, newest first. */
export const deliveriesQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'deliveries'],
    refetchInterval: 15_000,
    queryFn: async (context) =>
      (await get('GET /v1/orgs/{orgID}/webhook/deliveries', { params: { orgID } })(context)).items,
  })

/** The members of the company. */
export const membersQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'members'],
    queryFn: async (context) =>
      (await get('GET /v1/orgs/{orgID}/members', { params: { orgID } })(context)).items,
  })

/** A page of the audit log, newest first. */
export const auditQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/audit'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'audit', query],
    placeholderData: keepPreviousData,
    queryFn: get('GET /v1/orgs/{orgID}/audit', { params: { orgID }, query }),
  })
