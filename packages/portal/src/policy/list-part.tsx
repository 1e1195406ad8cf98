import type { ReactNode } from 'react'
import { Segmented } from '../ui/segmented.tsx'

/** A list of a policy: not limited here, or what is in it; what it means is said below its choice. */
export function ListPart({
  title,
  open,
  closed,
  isListed,
  about,
  error,
  isDisabled = false,
  onChange,
  children,
}: {
  title: string
  open: string
  closed: string
  isListed: boolean
  about: ReactNode
  error?: string | undefined
  isDisabled?: boolean
  onChange: (isListed: boolean) => void
  children?: ReactNode
}) {
  return (
    <fieldset disabled={isDisabled} className="flex min-w-0 flex-col gap-2">
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
      {error !== undefined && (
        <p role="alert" className="text-xs wrap-anywhere text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
