import { callRoute, type ErrorCases, type Provoke } from './call-route.ts'
import { pathOf } from './fixture.ts'

/** Of an agent that is archived: as if it had never been. */
const ofArchived: Provoke = (fixture, route) =>
  fixture.app.call(
    route.method,
    pathOf(fixture, route).replace(fixture.agents.agent.id, fixture.agents.archivedAgentId),
    route.lane === 'public' ? {} : { token: fixture.agents.session.token, json: {} },
  )

const ofCaller: ErrorCases = {
  not_found: ofArchived,
  forbidden: (fixture, route) => callRoute(fixture, route, { token: fixture.agents.unbound.token, json: {} }),
}

/** The error cases of the routes of A2A and MCP. */
export const a2aErrorCases: Record<string, ErrorCases> = {
  'a2a.card': { not_found: ofArchived },
  'a2a.legacyCard': { not_found: ofArchived },
  'a2a.call': ofCaller,
  'mcp.call': {
    ...ofCaller,
    origin_not_allowed: (fixture, route) =>
      callRoute(fixture, route, {
        token: fixture.agents.session.token,
        json: {},
        headers: { origin: 'https://evil.example' },
      }),
  },
}
