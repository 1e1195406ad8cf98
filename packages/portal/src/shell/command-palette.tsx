import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowRight, Bot, Building2, Keyboard, KeyRound, Moon, Plus, Search, Sun } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { agentsQuery } from '../data/agent-queries.ts'
import { useOrganization } from '../data/organization.tsx'
import { organizationsQuery } from '../data/queries.ts'
import { useModal } from '../ui/dialog.tsx'
import { Key } from '../ui/mark.tsx'
import { pageEntries } from './pages.ts'
import { setTheme, useIsDark } from './theme.ts'

/** As many as one page of the API has; they are asked for once, and searched here. */
const agentsMax = 100

type Command = { id: string; group: string; title: string; words: string; icon: ReactNode; run: () => void }

/** Everything that can be reached, found by typing; arrows choose, Enter goes. */
export function CommandPalette({
  slug,
  onClose,
  onKeys,
}: {
  slug: string
  onClose: () => void
  onKeys: () => void
}) {
  const ref = useModal()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(slug, text.trim(), onKeys)
  const current = commands[Math.min(chosen, commands.length - 1)]

  function go(command: Command | undefined) {
    if (command === undefined) return
    onClose()
    command.run()
  }

  function onKey(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && commands.length > 0) {
      event.preventDefault()
      const next = (commands.length + Math.min(chosen, commands.length - 1) + step) % commands.length
      setChosen(next)
      document.getElementById(`command-${commands[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(current)
    }
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key; the click is only the one beside the dialog.
    <dialog
      ref={ref}
      aria-label="Go to"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="appear mx-auto mt-[12dvh] mb-auto w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-2xl border border-line bg-raised p-0 shadow-2xl"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <input
          role="combobox"
          aria-label="Find a page, agent, company or wallet"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={current === undefined ? undefined : `command-${current.id}`}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
          placeholder="Page, agent, company, e-mail, address or id"
          className="h-13 w-full bg-transparent text-sm outline-none placeholder:text-muted"
        />
        <Key>Esc</Key>
      </div>
      <div id="commands" role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-y-auto p-2">
        {commands.map((command, index) => (
          <div key={command.id} role="presentation">
            {command.group !== commands[index - 1]?.group && (
              <p role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-muted">
                {command.group}
              </p>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above. */}
            <div
              id={`command-${command.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={command === current}
              onClick={() => go(command)}
              onMouseMove={() => setChosen(index)}
              className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-sm aria-selected:bg-tint [&_svg]:size-4 [&_svg]:text-muted"
            >
              {command.icon}
              <span className="min-w-0 flex-1 truncate">{command.title}</span>
              {command === current && <ArrowRight aria-hidden="true" />}
            </div>
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className="px-4 pb-4 text-sm text-muted">Nothing is called that.</p>}
    </dialog>
  )
}

function useCommands(slug: string, text: string, onKeys: () => void): Command[] {
  const navigate = useNavigate()
  const isDark = useIsDark()
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const { data: agents } = useQuery(agentsQuery(useOrganization().id, { status: 'active', limit: agentsMax }))
  const pages = pageEntries.map(({ to, title, words, icon: Icon }) => ({
    id: to.replace(/\W+/g, '-'),
    group: 'Pages',
    title,
    words,
    icon: <Icon />,
    run: () => void navigate({ to, params: { slug } }),
  }))
  const actions: Command[] = [
    {
      id: 'mint',
      group: 'Actions',
      title: 'Mint an API key',
      words: 'new create secret publishable',
      icon: <KeyRound />,
      run: () => void navigate({ to: '/o/$slug/api-keys', params: { slug }, search: { mint: true } }),
    },
    {
      id: 'company',
      group: 'Actions',
      title: 'Create a company',
      words: 'new organization',
      icon: <Plus />,
      run: () => void navigate({ to: '/new' }),
    },
    {
      id: 'theme',
      group: 'Actions',
      title: isDark ? 'Use light colours' : 'Use dark colours',
      words: 'theme mode',
      icon: isDark ? <Sun /> : <Moon />,
      run: () => setTheme(isDark ? 'light' : 'dark'),
    },
    {
      id: 'keys',
      group: 'Actions',
      title: 'Show the keys',
      words: 'keyboard help',
      icon: <Keyboard />,
      run: onKeys,
    },
  ]
  const companies = organizations
    .filter((one) => one.slug !== slug)
    .map((one) => ({
      id: one.id,
      group: 'Companies',
      title: one.name,
      words: one.slug,
      icon: <Building2 />,
      run: () => void navigate({ to: '/o/$slug', params: { slug: one.slug } }),
    }))
  const named = (text === '' ? [] : (agents?.items ?? [])).map(({ id, name, description }) => ({
    id,
    group: 'Agents',
    title: name,
    words: `agent ${description} ${id}`,
    icon: <Bot />,
    run: () => void navigate({ to: '/o/$slug/agents/$agentID', params: { slug, agentID: id } }),
  }))
  const words = text.toLowerCase().split(/\s+/)
  const found = [...pages, ...named, ...actions, ...companies].filter(({ title, words: more }) =>
    words.every((word) => `${title} ${more}`.toLowerCase().includes(word)),
  )
  if (text.length < 4) return found
  const search: Command = {
    id: 'search',
    group: 'Search',
    title: `Wallets of “${text}”`,
    words: '',
    icon: <Search />,
    run: () => void navigate({ to: '/o/$slug/wallets', params: { slug }, search: { q: text } }),
  }
  return [...found, search]
}
