import { useQuery } from '@tanstack/react-query'
import { BookOpen, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { explainError } from '../data/explain-error.ts'
import { portalClient } from '../data/portal-client.ts'
import { sessionQuery } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { useAction } from '../data/use-action.ts'
import { initials } from '../ui/format.ts'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { toast } from '../ui/toasts.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const themes = [
  ['system', 'Colours of the device', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const satisfies readonly (readonly [Theme, string, unknown])[]

/** Who is logged in, the colours, help and the way out. */
export function UserMenu({ onKeys }: { onKeys?: () => void }) {
  const { data: session } = useQuery(sessionQuery)
  const theme = useTheme()
  const logOut = useAction({
    run: (_: undefined) => portalClient.call('POST /v1/auth/logout', { isRepeatable: false }),
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
      {themes.map(([value, text, Icon]) => (
        <MenuItem
          key={value}
          icon={<Icon />}
          onSelect={() => setTheme(value)}
          aside={theme === value ? <span className="text-xs text-muted">on</span> : undefined}
        >
          {text}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<BookOpen />} onSelect={() => void window.open('/reference', '_blank', 'noreferrer')}>
        API reference
      </MenuItem>
      {onKeys !== undefined && (
        <MenuItem icon={<Keyboard />} onSelect={onKeys}>
          Keyboard
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem
        icon={<LogOut />}
        onSelect={() =>
          logOut.mutate(undefined, { onError: (error) => toast(explainError(error).title, 'bad') })
        }
      >
        Log out
      </MenuItem>
    </Menu>
  )
}
