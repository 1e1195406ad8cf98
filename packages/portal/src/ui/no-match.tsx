import { useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Stands in for a list whose filters match nothing; its button clears them. `action` stands before that button. */
export function NoMatch({
  noun,
  action,
  children,
}: {
  noun: string
  action?: ReactNode
  children: ReactNode
}) {
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={SearchX}
      title={`No matching ${noun}`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {action}
          <Button onClick={() => void navigate({ to: '.', search: {} })}>Show all {noun}</Button>
        </div>
      }
    >
      {children}
    </EmptyState>
  )
}
