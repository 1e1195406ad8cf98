import { type ReactNode, useEffect } from 'react'

/** A page: its title (also the tab's), a sentence about it, its actions and its content. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Symbolon`
  }, [title])
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex max-w-2xl min-w-0 flex-col gap-1">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="text-sm text-pretty text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page in a box; `aside` is at the right of its title. */
export function Card({
  title,
  text,
  aside,
  children,
  footer,
}: {
  title?: string
  text?: ReactNode
  aside?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}) {
  return (
    <section className="min-w-0 rounded-xl border border-line bg-surface">
      {title !== undefined && (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-5">
          <div className="flex max-w-xl flex-col gap-1">
            <h2 className="text-sm font-semibold">{title}</h2>
            {text !== undefined && <p className="text-sm text-pretty text-muted">{text}</p>}
          </div>
          {aside}
        </div>
      )}
      {children !== undefined && <div className="px-4 py-4 sm:px-5">{children}</div>}
      {footer !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-b-xl border-t border-line bg-sunken px-4 py-3 sm:px-5">
          {footer}
        </div>
      )}
    </section>
  )
}
