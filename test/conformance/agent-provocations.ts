import { randomUUID } from 'node:crypto'
import { callAs, makeWalletFor } from '@symbolon/testing/app'
import { callRoute, type Provocations, type Provoke } from './call-route.ts'
import { bodyOf, pathOf, type World } from './world.ts'

/** Calls with the body changed, as a backend or as the owner. */
const withFields = (
  change: (world: World) => Record<string, unknown> | Promise<Record<string, unknown>>,
): Provoke => {
  return async (world, route) => {
    const json = { ...bodyOf(route, world), ...(await change(world)) }
    if (route.lane !== 'portal') return callRoute(world, route, { json })
    return callAs(world.app, world.portal.owner, [route.method, pathOf(world, route), json])
  }
}

const unknownChain = { allowed_chains: ['no-such-chain'] }

const walletErrors: Provocations = {
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

const ofArchived: Provoke = (world, route) => {
  const path = pathOf(world, route).replace(world.agents.agent.id, world.agents.archivedAgentId)
  return callAs(world.app, world.portal.owner, [route.method, path, bodyOf(route, world)])
}

/** What single routes of sessions, agents and rules are provoked by. */
export const agentProvocations: Record<string, Provocations> = {
  'agentSessions.mint': {
    ...walletErrors,
    not_found: withFields(() => ({ agent_id: randomUUID() })),
    agent_archived: withFields(({ agents }) => ({ agent_id: agents.archivedAgentId })),
    chain_unsupported: withFields(() => unknownChain),
    idempotency_key_spent: async (world, route) => {
      const json = bodyOf(route, world)
      const headers = { 'idempotency-key': randomUUID() }
      await callRoute(world, route, { json, headers })
      return callRoute(world, route, { json, headers })
    },
  },
  'agentSessions.get': {
    not_found: (world, route) => callRoute(world, route, { sk: world.evmOnly.sk }),
  },
  'agentSessions.revoke': {
    not_found: (world, route) => callRoute(world, route, { sk: world.evmOnly.sk }),
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
