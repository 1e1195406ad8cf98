import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
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

/** A page of a company, loaded when it is first opened. */
const page = <const path extends string, search extends object = object>(
  path: path,
  component: RouteComponent,
  validateSearch: (search: Record<string, unknown>) => search = () => ({}) as search,
) => createRoute({ getParentRoute: () => company, path, validateSearch, component })

const overview = page(
  '/',
  lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  (search) => textOf(search, 'days'),
)
const quickStart = page(
  '/quick-start',
  lazyRouteComponent(() => import('./pages/quick-start/quick-start-page.tsx'), 'QuickStartPage'),
)
const wallets = page(
  '/wallets',
  lazyRouteComponent(() => import('./pages/wallets/wallets-page.tsx'), 'WalletsPage'),
  (search) => ({ ...textOf(search, 'q', 'status', 'curve', 'wallet'), ...pageOf(search) }),
)
const users = page(
  '/users',
  lazyRouteComponent(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
  (search) => ({ ...textOf(search, 'q'), ...pageOf(search) }),
)
const apiKeys = page(
  '/api-keys',
  lazyRouteComponent(() => import('./pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  (search) => flagOf(search, 'create'),
)
const agents = page(
  '/agents',
  lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
  (search) => ({
    ...textOf(search, 'status'),
    ...pageOf(search),
    ...flagOf(search, 'create'),
  }),
)
const agent = page(
  '/agents/$agentID',
  lazyRouteComponent(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
  (search) => ({ ...textOf(search, 'state'), ...pageOf(search) }),
)
const run = page(
  '/agents/$agentID/runs/$runID',
  lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage'),
  (search) => textOf(search, 'parent'),
)
const agentSessions = page(
  '/agent-sessions',
  lazyRouteComponent(() => import('./pages/agent-sessions/agent-sessions-page.tsx'), 'AgentSessionsPage'),
  (search) => ({
    ...textOf(search, 'status', 'agent', 'wallet'),
    ...pageOf(search),
    ...flagOf(search, 'mint'),
  }),
)
const agentSession = page(
  '/agent-sessions/$sessionID',
  lazyRouteComponent(() => import('./pages/agent-sessions/agent-session-page.tsx'), 'AgentSessionPage'),
  (search) => ({ ...textOf(search, 'outcome'), ...pageOf(search) }),
)
const rules = page(
  '/rules',
  lazyRouteComponent(() => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
)
const networks = page(
  '/networks',
  lazyRouteComponent(() => import('./pages/networks/networks-page.tsx'), 'NetworksPage'),
)
const authentication = page(
  '/authentication',
  lazyRouteComponent(() => import('./pages/authentication/authentication-page.tsx'), 'AuthenticationPage'),
)
const recovery = page(
  '/recovery',
  lazyRouteComponent(() => import('./pages/recovery/recovery-page.tsx'), 'RecoveryPage'),
)
const members = page(
  '/members',
  lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
)
const audit = page(
  '/audit',
  lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  (search) => ({
    ...textOf(search, 'event_type', 'success', 'actor_id', 'wallet_id', 'from', 'to'),
    ...pageOf(search),
  }),
)
const settings = page(
  '/settings',
  lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
)

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
