import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Segmented } from '../ui/segmented.tsx'

/** A part of a policy that is either open or limited. `about` explains it; `warning` says what the choice leads to. */
export function ListPart({
  title,
  open,
  closed,
  isListed,
  about,
  warning,
  error,
  onChange,
  children,
}: {
  title: string
  open: string
  closed: string
  isListed: boolean
  about: ReactNode
  warning?: string | undefined
  error?: string | undefined
  onChange: (isListed: boolean) => void
  children?: ReactNode
}) {
  return (
    <fieldset data-wrong={error === undefined ? undefined : true} className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{title}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm font-medium">{title}</p>
        <Segmented
          label={title}
          options={[
            ['open', open],
            ['listed', closed],
          ]}
          value={isListed ? 'listed' : 'open'}
          onChange={(next) => onChange(next === 'listed')}
        />
      </div>
      <p className="text-xs text-pretty text-muted">{about}</p>
      {isListed && children}
      {warning !== undefined && (
        <p className="flex gap-1.5 text-xs text-pretty text-warn">
          <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden="true" /> {warning}
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-xs wrap-anywhere text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
