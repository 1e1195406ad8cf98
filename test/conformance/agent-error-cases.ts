import { randomUUID } from 'node:crypto'
import { callAs, makeWalletFor } from '@symbolon/testing/app'
import { callRoute, type ErrorCases, type Provoke } from './call-route.ts'
import { bodyOf, type Fixture, pathOf } from './fixture.ts'

/** Calls with the body changed, as a backend or as the owner. */
const withFields = (
  change: (fixture: Fixture) => Record<string, unknown> | Promise<Record<string, unknown>>,
): Provoke => {
  return async (fixture, route) => {
    const json = { ...bodyOf(route, fixture), ...(await change(fixture)) }
    if (route.lane !== 'portal') return callRoute(fixture, route, { json })
    return callAs(fixture.app, fixture.portal.owner, [route.method, pathOf(fixture, route), json])
  }
}

const unknownChain = { allowed_chains: ['no-such-chain'] }

const walletErrors: ErrorCases = {
  wallet_not_found: withFields(() => ({ wallet_id: randomUUID() })),
  wallet_archived: withFields(({ archivedWalletId }) => ({ wallet_id: archivedWalletId })),
  // A client wallet in an organization that has turned to TEE mode by hand of its operator.
  wallet_not_tee_mode: withFields(async ({ app, tenant, newUser }) => {
    const user = await newUser(tenant)
    const { id } = await makeWalletFor(app, tenant, 'secp256k1', user.email)
    await app.sql`update wallets set signing_mode = 'client' where id = ${id}`
    return { wallet_id: id }
  }),
}

const ofArchived: Provoke = (fixture, route) => {
  const path = pathOf(fixture, route).replace(fixture.agents.agent.id, fixture.agents.archivedAgentId)
  return callAs(fixture.app, fixture.portal.owner, [route.method, path, bodyOf(route, fixture)])
}

/** The error cases of single routes of sessions, agents and rules. */
export const agentErrorCases: Record<string, ErrorCases> = {
  'agentSessions.mint': {
    ...walletErrors,
    not_found: withFields(() => ({ agent_id: randomUUID() })),
    agent_archived: withFields(({ agents }) => ({ agent_id: agents.archivedAgentId })),
    chain_unsupported: withFields(() => unknownChain),
    idempotency_key_spent: async (fixture, route) => {
      const json = bodyOf(route, fixture)
      const headers = { 'idempotency-key': randomUUID() }
      await callRoute(fixture, route, { json, headers })
      return callRoute(fixture, route, { json, headers })
    },
  },
  'agentSessions.get': {
    not_found: (fixture, route) => callRoute(fixture, route, { sk: fixture.evmOnly.sk }),
  },
  'agentSessions.revoke': {
    not_found: (fixture, route) => callRoute(fixture, route, { sk: fixture.evmOnly.sk }),
  },
  'agents.create': {
    ...walletErrors,
    chain_unsupported: withFields(() => ({ policy: unknownChain })),
  },
  'agents.change': {
    agent_archived: ofArchived,
    chain_unsupported: withFields(() => ({ policy: unknownChain })),
  },
  'rules.put': { chain_unsupported: withFields(() => ({ blocked_chains: ['no-such-chain'] })) },
}
