import { Outlet } from '@tanstack/react-router'
import { MenuIcon, Search, X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { hasCommandKey } from '../adapters/browser.ts'
import { useOrganization } from '../data/organization.tsx'
import { IconButton } from '../ui/button.tsx'
import { Modal } from '../ui/dialog.tsx'
import { CompanyLink } from '../ui/links.tsx'
import { Key, Mark } from '../ui/mark.tsx'
import { CommandPalette } from './command-palette.tsx'
import { CompanySelect } from './company-select.tsx'
import { CompanySwitcher } from './company-switcher.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { Navigation } from './navigation.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { UserMenu } from './user-menu.tsx'

type Opened = 'palette' | 'keys' | 'navigation' | undefined

/** The frame around the pages of a company: company, navigation, search and account. */
export function AppShell() {
  const { slug } = useOrganization()
  const [opened, setOpened] = useState<Opened>()
  const close = useCallback(() => setOpened(undefined), [])
  useShortcuts(slug, setOpened)
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-ink px-4 py-2 text-sm text-canvas focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line bg-sunken px-3 py-4 lg:flex">
        <Brand />
        <CompanySwitcher />
        <Navigation slug={slug} />
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-canvas/90 px-4 backdrop-blur sm:px-8">
          <IconButton
            label="Pages"
            icon={MenuIcon}
            className="-ml-2 lg:hidden"
            onClick={() => setOpened('navigation')}
          />
          <button
            type="button"
            onClick={() => setOpened('palette')}
            className="flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-lg border border-line bg-surface px-3 text-sm text-muted transition hover:border-strong max-sm:h-10 sm:max-w-xs"
          >
            <Search className="size-4 shrink-0" aria-hidden="true" />
            <span className="flex-1 truncate text-left">Search…</span>
            <span className="flex gap-1 max-sm:hidden">
              <Key>{hasCommandKey() ? '⌘K' : 'Ctrl K'}</Key>
            </span>
          </button>
          <div className="ml-auto flex items-center gap-1">
            <UserMenu onKeys={() => setOpened('keys')} />
          </div>
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      {opened === 'palette' && <CommandPalette onClose={close} onKeys={() => setOpened('keys')} />}
      {opened === 'keys' && <KeysDialog onClose={close} />}
      {opened === 'navigation' && <Drawer slug={slug} onClose={close} />}
    </div>
  )
}

function Brand() {
  return (
    <CompanyLink to="/o/$slug" className="flex items-center gap-2 rounded-lg px-1.5 font-semibold">
      <Mark /> Symbolon
    </CompanyLink>
  )
}

function Drawer({ slug, onClose }: { slug: string; onClose: () => void }) {
  const wide = useRef(matchMedia('(min-width: 64rem)'))
  useEffect(() => {
    const media = wide.current
    media.addEventListener('change', onClose)
    return () => media.removeEventListener('change', onClose)
  }, [onClose])
  return (
    <Modal
      label="Pages"
      onClose={onClose}
      className="m-0 h-dvh max-h-dvh w-72 max-w-[85vw] border-r border-line bg-sunken p-0"
    >
      <div className="flex min-h-full flex-col gap-4 px-3 py-3">
        <div className="flex items-center justify-between">
          <Brand />
          <IconButton label="Close" icon={X} onClick={onClose} />
        </div>
        <CompanySelect onGo={onClose} />
        <Navigation slug={slug} onGo={onClose} />
      </div>
    </Modal>
  )
}
