import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button, buttonForm, buttonLooks } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'

/** The page for unknown addresses and for companies that the person is not a member of. */
export function NotFoundPage() {
  useEffect(() => {
    document.title = 'Page not found · Symbolon'
  }, [])
  return (
    <main className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-4">
      <Mark className="size-9" />
      <h1 className="text-xl font-semibold">Page not found</h1>
      <p className="text-sm text-pretty text-muted">
        Check the address. If it belongs to a company, ask one of its owners or admins to add you.
      </p>
      <Link to="/" className={`${buttonForm} ${buttonLooks.secondary}`}>
        Go to your companies
      </Link>
    </main>
  )
}

/** The page for errors of the portal itself. A new version may have replaced the files that this page still asks for. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <main className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-4">
      <h1 className="text-xl font-semibold">This page couldn’t load</h1>
      <p className="text-sm text-pretty text-muted">
        The portal may have been updated. Reload the page; your saved changes are safe.
      </p>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        {error instanceof Error ? error.message : 'unknown'}
      </p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  )
}
