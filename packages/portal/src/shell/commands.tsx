import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bot, Building2, Keyboard, KeyRound, Moon, Plus, Search, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { agentsQuery } from '../data/agent-queries.ts'
import { useOrganization } from '../data/organization.tsx'
import { organizationsQuery } from '../data/queries.ts'
import { pageEntries } from './pages.ts'
import { useIsDark, useTheme } from './theme.tsx'

/** Something that the palette can do; it is found by its `title` and its `words`. */
export type Command = {
  id: string
  group: string
  title: string
  words: string
  icon: ReactNode
  run: () => void
}

/** The most that one page of the API has: agents are loaded once and searched here. */
const agentsMax = 100

/** The commands that match a text: pages, agents, actions, companies and, from four letters on, a search for wallets. */
export function useCommands(text: string, onKeys: () => void): Command[] {
  const commands = [usePages(), useAgents(text), useActions(onKeys), useCompanies()].flat()
  const search = useWalletSearch(text)
  const words = text.toLowerCase().split(/\s+/)
  const found = commands.filter((command) =>
    words.every((word) => `${command.title} ${command.words}`.toLowerCase().includes(word)),
  )
  return text.length < 4 ? found : [...found, search]
}

function usePages(): Command[] {
  const navigate = useNavigate()
  const { slug } = useOrganization()
  return pageEntries.map(({ to, title, words, icon: Icon }) => ({
    id: to.replace(/\W+/g, '-'),
    group: 'Pages',
    title,
    words,
    icon: <Icon />,
    run: () => void navigate({ to, params: { slug } }),
  }))
}

function useAgents(text: string): Command[] {
  const navigate = useNavigate()
  const { id: orgID, slug } = useOrganization()
  const { data: agents } = useQuery(agentsQuery(orgID, { status: 'active', limit: agentsMax }))
  return (text === '' ? [] : (agents?.items ?? [])).map(({ id, name, description }) => ({
    id,
    group: 'Agents',
    title: name,
    words: `agent ${description} ${id}`,
    icon: <Bot />,
    run: () => void navigate({ to: '/o/$slug/agents/$agentID', params: { slug, agentID: id } }),
  }))
}

function useActions(onKeys: () => void): Command[] {
  const navigate = useNavigate()
  const { slug } = useOrganization()
  const [, setTheme] = useTheme()
  const isDark = useIsDark()
  const action = (id: string, title: string, words: string, icon: ReactNode, run: () => void) => ({
    id,
    group: 'Actions',
    title,
    words,
    icon,
    run,
  })
  return [
    action('api-key', 'Create API key', 'new mint secret publishable', <KeyRound />, () => {
      void navigate({ to: '/o/$slug/api-keys', params: { slug }, search: { create: true } })
    }),
    action('company', 'Create company', 'new organization', <Plus />, () => void navigate({ to: '/new' })),
    isDark
      ? action('theme', 'Use light theme', 'colours mode', <Sun />, () => setTheme('light'))
      : action('theme', 'Use dark theme', 'colours mode', <Moon />, () => setTheme('dark')),
    action('keys', 'Show keyboard shortcuts', 'keys help', <Keyboard />, onKeys),
  ]
}

function useCompanies(): Command[] {
  const navigate = useNavigate()
  const { slug: current } = useOrganization()
  const { data: organizations = [] } = useQuery(organizationsQuery)
  return organizations
    .filter(({ slug }) => slug !== current)
    .map(({ id, name, slug }) => ({
      id,
      group: 'Companies',
      title: name,
      words: slug,
      icon: <Building2 />,
      run: () => void navigate({ to: '/o/$slug', params: { slug } }),
    }))
}

function useWalletSearch(text: string): Command {
  const navigate = useNavigate()
  const { slug } = useOrganization()
  return {
    id: 'search',
    group: 'Search',
    title: `Search wallets for “${text}”`,
    words: '',
    icon: <Search />,
    run: () => void navigate({ to: '/o/$slug/wallets', params: { slug }, search: { q: text } }),
  }
}
