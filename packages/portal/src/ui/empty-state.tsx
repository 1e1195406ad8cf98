import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Stands in for an empty list: what will appear here, and how to get it. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-strong px-6 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-xl bg-tint text-accent">
        <Icon className="size-5" aria-hidden="true" />
      </span>
      <p className="font-medium">{title}</p>
      <div className="max-w-md text-sm text-pretty text-muted">{children}</div>
      {action}
    </div>
  )
}
