import { callRoute, type Provocations, type Provoke } from './call-route.ts'
import { pathOf } from './world.ts'

/** Of an agent that is archived: as if it had never been. */
const ofArchived: Provoke = (world, route) =>
  world.app.call(
    route.method,
    pathOf(world, route).replace(world.agents.agent.id, world.agents.archivedAgentId),
    route.lane === 'public' ? {} : { token: world.agents.session.token, json: {} },
  )

const ofCaller: Provocations = {
  not_found: ofArchived,
  forbidden: (world, route) => callRoute(world, route, { token: world.agents.unbound.token, json: {} }),
}

/** What the routes of A2A and MCP are provoked by. */
export const a2aProvocations: Record<string, Provocations> = {
  'a2a.card': { not_found: ofArchived },
  'a2a.legacyCard': { not_found: ofArchived },
  'a2a.call': ofCaller,
  'mcp.call': {
    ...ofCaller,
    origin_not_allowed: (world, route) =>
      callRoute(world, route, {
        token: world.agents.session.token,
        json: {},
        headers: { origin: 'https://evil.example' },
      }),
  },
}
