import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

/** A menu below the button `trigger`. The page stays scrollable, so nothing shifts when it opens. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-40 min-w-52 rounded-xl border border-line bg-raised p-1 shadow-lg"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** An item of a menu. */
export function MenuItem({
  icon,
  children,
  onSelect,
  isDanger = false,
  isDisabled = false,
  aside,
}: {
  icon?: ReactNode
  children: ReactNode
  onSelect: () => void
  isDanger?: boolean
  isDisabled?: boolean
  aside?: ReactNode
}) {
  return (
    <DropdownMenu.Item
      disabled={isDisabled}
      onSelect={onSelect}
      className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none data-disabled:cursor-not-allowed data-disabled:opacity-45 data-highlighted:bg-sunken max-sm:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 ${isDanger ? 'text-bad' : ''}`}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside}
    </DropdownMenu.Item>
  )
}

/** A line between groups of a menu. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}

/** A heading in a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 py-1.5 text-xs text-muted">{children}</DropdownMenu.Label>
}
