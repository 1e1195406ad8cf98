import { unwrap } from '@symbolon/sdk/portal'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { portalClient, type Query } from './portal-client.ts'
import { isSignedOut } from './query-client.ts'

const { call } = portalClient
const of = (orgID: string) => ({ params: { orgID } })

/** Who is logged in; null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    try {
      return unwrap(await call('GET /v1/auth/session', { signal }))
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
})

/** The companies of whoever is logged in. */
export const organizationsQuery = queryOptions({
  queryKey: ['orgs'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => unwrap(await call('GET /v1/orgs', { signal })).items,
})

/** What happened per day between two days (`YYYY-MM-DD`, both included). */
export const usageQuery = (orgID: string, range: Query<'GET /v1/orgs/{orgID}/usage'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'usage', range],
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/usage', { ...of(orgID), query: range, signal })),
  })

/** A page of wallets, newest first. */
export const walletsQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/wallets'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'wallets', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/wallets', { ...of(orgID), query, signal })),
  })

/** One wallet. */
export const walletQuery = (orgID: string, walletID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'wallet', walletID],
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/wallets/{walletID}', { params: { orgID, walletID }, signal })),
  })

/** A page of end users. */
export const usersQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/users'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'users', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/users', { ...of(orgID), query, signal })),
  })

/** All API keys, revoked ones included, newest first. */
export const apiKeysQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'api-keys'],
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/api-keys', { ...of(orgID), signal })).items,
  })

/** The chains, and which of them this installation reaches. */
export const chainsQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'chains'],
    staleTime: 300_000,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/chains', { ...of(orgID), signal })).items,
  })

/** The recovery webhook; null where none is set. */
export const webhookQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'webhook'],
    queryFn: async ({ signal }) => {
      const result = await call('GET /v1/orgs/{orgID}/webhook', { ...of(orgID), signal })
      return result.error?.status === 404 ? null : unwrap(result)
    },
  })

/** The latest calls of the webhook, newest first. */
export const deliveriesQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'deliveries'],
    refetchInterval: 15_000,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/webhook/deliveries', { ...of(orgID), signal })).items,
  })

/** Everybody who belongs to the company. */
export const membersQuery = (orgID: string) =>
  queryOptions({
    queryKey: ['org', orgID, 'members'],
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/members', { ...of(orgID), signal })).items,
  })

/** A page of the audit log, newest first. */
export const auditQuery = (orgID: string, query: Query<'GET /v1/orgs/{orgID}/audit'>) =>
  queryOptions({
    queryKey: ['org', orgID, 'audit', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      unwrap(await call('GET /v1/orgs/{orgID}/audit', { ...of(orgID), query, signal })),
  })
