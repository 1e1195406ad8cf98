import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { CompanyGate } from './entry/company-gate.tsx'
import { NewCompanyPage } from './entry/new-company-page.tsx'
import { NotFoundPage, PageFailure } from './entry/not-found-page.tsx'
import { SessionGate } from './entry/session-gate.tsx'
import { StartPage } from './entry/start-page.tsx'
import { flagOf, pageOf, parseSearch, stringifySearch, textOf } from './search.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: (search) => textOf(search, 'login_error'),
  component: StartPage,
})

const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: SessionGate })
const create = createRoute({ getParentRoute: () => inside, path: '/new', component: NewCompanyPage })
const company = createRoute({ getParentRoute: () => inside, path: '/o/$slug', component: CompanyGate })

const overview = createRoute({
  getParentRoute: () => company,
  path: '/',
  validateSearch: (search) => textOf(search, 'days'),
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})
const quickStart = createRoute({
  getParentRoute: () => company,
  path: '/quick-start',
  component: lazyRouteComponent(() => import('./pages/quick-start/quick-start-page.tsx'), 'QuickStartPage'),
})
const wallets = createRoute({
  getParentRoute: () => company,
  path: '/wallets',
  validateSearch: (search) => ({ ...textOf(search, 'q', 'status', 'curve', 'wallet'), ...pageOf(search) }),
  component: lazyRouteComponent(() => import('./pages/wallets/wallets-page.tsx'), 'WalletsPage'),
})
const users = createRoute({
  getParentRoute: () => company,
  path: '/users',
  validateSearch: (search) => ({ ...textOf(search, 'q'), ...pageOf(search) }),
  component: lazyRouteComponent(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
})
const apiKeys = createRoute({
  getParentRoute: () => company,
  path: '/api-keys',
  validateSearch: (search) => flagOf(search, 'create'),
  component: lazyRouteComponent(() => import('./pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const agents = createRoute({
  getParentRoute: () => company,
  path: '/agents',
  validateSearch: (search) => ({
    ...textOf(search, 'status'),
    ...pageOf(search),
    ...flagOf(search, 'create'),
  }),
  component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
})
const agent = createRoute({
  getParentRoute: () => company,
  path: '/agents/$agentID',
  validateSearch: (search) => ({ ...textOf(search, 'state'), ...pageOf(search) }),
  component: lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
})
const run = createRoute({
  getParentRoute: () => company,
  path: '/agents/$agentID/runs/$runID',
  validateSearch: (search) => textOf(search, 'parent'),
  component: lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage'),
})
const agentSessions = createRoute({
  getParentRoute: () => company,
  path: '/agent-sessions',
  validateSearch: (search) => ({
    ...textOf(search, 'status', 'agent', 'wallet'),
    ...pageOf(search),
    ...flagOf(search, 'mint'),
  }),
  component: lazyRouteComponent(
    () => import('./pages/agent-sessions/agent-sessions-page.tsx'),
    'AgentSessionsPage',
  ),
})
const agentSession = createRoute({
  getParentRoute: () => company,
  path: '/agent-sessions/$sessionID',
  validateSearch: (search) => ({ ...textOf(search, 'outcome'), ...pageOf(search) }),
  component: lazyRouteComponent(
    () => import('./pages/agent-sessions/agent-session-page.tsx'),
    'AgentSessionPage',
  ),
})
const rules = createRoute({
  getParentRoute: () => company,
  path: '/rules',
  component: lazyRouteComponent(() => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
})
const networks = createRoute({
  getParentRoute: () => company,
  path: '/networks',
  component: lazyRouteComponent(() => import('./pages/networks/networks-page.tsx'), 'NetworksPage'),
})
const authentication = createRoute({
  getParentRoute: () => company,
  path: '/authentication',
  component: lazyRouteComponent(
    () => import('./pages/authentication/authentication-page.tsx'),
    'AuthenticationPage',
  ),
})
const recovery = createRoute({
  getParentRoute: () => company,
  path: '/recovery',
  component: lazyRouteComponent(() => import('./pages/recovery/recovery-page.tsx'), 'RecoveryPage'),
})
const members = createRoute({
  getParentRoute: () => company,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
})
const audit = createRoute({
  getParentRoute: () => company,
  path: '/audit',
  validateSearch: (search) => ({
    ...textOf(search, 'event_type', 'success', 'actor_id', 'wallet_id', 'from', 'to'),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})
const settings = createRoute({
  getParentRoute: () => company,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

/** The routes of the portal, below `/portal`. */
export const router = createRouter({
  basepath: '/portal',
  routeTree: root.addChildren([
    start,
    inside.addChildren([
      create,
      company.addChildren([
        overview,
        quickStart,
        wallets,
        users,
        agents,
        agent,
        run,
        agentSessions,
        agentSession,
        rules,
        apiKeys,
        networks,
        authentication,
        recovery,
        members,
        audit,
        settings,
      ]),
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailure,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the router's types are extended by declaration merging.
  interface Register {
    router: typeof router
  }
}
