import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookOpen, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { explainError } from '../data/explain-error.ts'
import { portalClient } from '../data/portal-client.ts'
import { sessionQuery } from '../data/queries.ts'
import { useAction } from '../data/use-action.ts'
import { initials } from '../ui/format.ts'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { useToast } from '../ui/toasts.tsx'
import { type Theme, useTheme } from './theme.tsx'

const themes = [
  ['system', 'System theme', Monitor],
  ['light', 'Light theme', Sun],
  ['dark', 'Dark theme', Moon],
] as const satisfies readonly (readonly [Theme, string, unknown])[]

/** The account menu: who is signed in, the theme, help and signing out. */
export function UserMenu({ onKeys }: { onKeys?: () => void }) {
  const { data: session } = useQuery(sessionQuery)
  const queryClient = useQueryClient()
  const toast = useToast()
  const logOut = useAction({
    run: () => portalClient.call('POST /v1/auth/logout', { isRepeatable: false }),
    onDone() {
      queryClient.clear()
      queryClient.setQueryData(['session'], null)
    },
  })
  if (session === null || session === undefined) return null
  const { name, email } = session.user
  return (
    <Menu
      trigger={
        <button
          type="button"
          title={email}
          className="grid size-9 shrink-0 place-items-center rounded-full bg-tint text-xs font-semibold text-accent max-sm:size-10"
        >
          <span aria-hidden="true">{initials(name === '' ? email : name)}</span>
          <span className="sr-only">Account of {email}</span>
        </button>
      }
    >
      <MenuLabel>
        {name !== '' && <span className="block text-sm text-ink">{name}</span>}
        {email}
      </MenuLabel>
      <MenuLine />
      <ThemeItems />
      <MenuLine />
      <MenuItem icon={<BookOpen />} onSelect={() => void window.open('/reference', '_blank', 'noreferrer')}>
        API reference
      </MenuItem>
      {onKeys !== undefined && (
        <MenuItem icon={<Keyboard />} onSelect={onKeys}>
          Keyboard shortcuts
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem
        icon={<LogOut />}
        onSelect={() =>
          logOut.mutate(undefined, { onError: (error) => toast(explainError(error).title, 'bad') })
        }
      >
        Sign out
      </MenuItem>
    </Menu>
  )
}

function ThemeItems() {
  const [theme, setTheme] = useTheme()
  return themes.map(([value, text, Icon]) => (
    <MenuItem
      key={value}
      icon={<Icon />}
      onSelect={() => setTheme(value)}
      aside={theme === value ? <span className="text-xs text-muted">On</span> : undefined}
    >
      {text}
    </MenuItem>
  ))
}
