import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button, buttonForm, buttonLooks } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'

/** The page for addresses that lead nowhere, and for companies that one does not belong to. */
export function NothingHere() {
  useEffect(() => {
    document.title = 'Nothing here · Symbolon'
  }, [])
  return (
    <main className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-4">
      <Mark className="size-9" />
      <h1 className="text-xl font-semibold">There is nothing here.</h1>
      <p className="text-sm text-pretty text-muted">
        The address may be wrong, or you do not belong to this company. An owner or admin of it can add you.
      </p>
      <Link to="/" className={`${buttonForm} ${buttonLooks.secondary}`}>
        To your companies
      </Link>
    </main>
  )
}

/** The page for faults of the portal itself. A new version may have replaced the files that this page still asks for. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <main className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-4">
      <h1 className="text-xl font-semibold">This page could not be shown.</h1>
      <p className="text-sm text-pretty text-muted">
        The portal may have been updated meanwhile. Reload it; nothing that you saved is lost.
      </p>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        {error instanceof Error ? error.message : 'unknown'}
      </p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  )
}
