import type { LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import {
  Bot,
  Building2,
  ChartColumn,
  KeyRound,
  LifeBuoy,
  Network,
  Rocket,
  ScrollText,
  Settings,
  ShieldCheck,
  Ticket,
  UserCog,
  UsersRound,
  Wallet,
} from 'lucide-react'

type PagePath = Extract<NonNullable<LinkProps['to']>, `/o/$slug${string}`>

/** A page in the navigation. Its shortcut is `g`, then `key`; the palette finds it by `words` too. */
export type PageEntry = {
  to: PagePath
  title: string
  icon: LucideIcon
  key: string
  words: string
}

const page = (to: PagePath, title: string, icon: LucideIcon, key: string, words: string): PageEntry => ({
  to,
  title,
  icon,
  key,
  words,
})

/** The pages of a company by group. */
export const pageGroups: readonly { title: string; pages: readonly PageEntry[] }[] = [
  {
    title: '',
    pages: [
      page('/o/$slug', 'Overview', ChartColumn, 'o', 'usage charts home dashboard'),
      page('/o/$slug/quick-start', 'Quick start', Rocket, 'q', 'snippets curl sdk first call'),
    ],
  },
  {
    title: 'People',
    pages: [
      page('/o/$slug/wallets', 'Wallets', Wallet, 'w', 'address archive'),
      page('/o/$slug/users', 'Users', UsersRound, 'u', 'end users identities email'),
    ],
  },
  {
    title: 'Agents',
    pages: [
      page('/o/$slug/agents', 'Agents', Bot, 'g', 'runs hooks a2a mcp bots'),
      page(
        '/o/$slug/agent-sessions',
        'Agent sessions',
        Ticket,
        't',
        'tokens budgets spend signing requests revoke',
      ),
      page('/o/$slug/rules', 'Rules', ShieldCheck, 'p', 'policy caps blocked recipients chains tokens'),
    ],
  },
  {
    title: 'Build',
    pages: [
      page('/o/$slug/api-keys', 'API keys', KeyRound, 'k', 'secret publishable create mint rotate revoke'),
      page('/o/$slug/networks', 'Networks', Network, 'n', 'chains rpc bundler evm bitcoin solana'),
      page('/o/$slug/authentication', 'Authentication', UserCog, 'a', 'login oidc otp issuer audience'),
      page('/o/$slug/recovery', 'Recovery', LifeBuoy, 'r', 'webhook shares secret deliveries'),
    ],
  },
  {
    title: 'Company',
    pages: [
      page('/o/$slug/members', 'Members', Building2, 'm', 'team invite roles owner'),
      page('/o/$slug/audit', 'Audit log', ScrollText, 'l', 'events verify merkle checkpoint export'),
      page('/o/$slug/settings', 'Settings', Settings, 's', 'branding logo colour origins name'),
    ],
  },
]

/** The pages of a company in one list. */
export const pageEntries: readonly PageEntry[] = pageGroups.flatMap(({ pages }) => pages)
