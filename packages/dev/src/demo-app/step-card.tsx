import { type ReactNode, useId } from 'react'
import { Check } from './ui/icons.tsx'
import { Snippet } from './ui/snippet.tsx'

/** One step of the story. A step that cannot start yet (`waitsFor`) names the missing step instead of its content. */
export function StepCard({
  number,
  title,
  lead,
  code,
  isDone = false,
  waitsFor,
  children,
}: {
  number: number
  title: string
  lead: ReactNode
  code: string
  isDone?: boolean
  waitsFor?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  const isWaiting = waitsFor !== undefined
  return (
    <section
      aria-labelledby={id}
      className={`rounded-xl border px-4 sm:px-6 ${isWaiting ? 'border-line/70 py-3' : 'border-line bg-surface py-4 shadow-xs sm:py-6'}`}
    >
      <div className={`flex gap-3 sm:gap-4 ${isWaiting ? 'items-center' : ''}`}>
        <span
          aria-hidden="true"
          className={`grid size-8 shrink-0 place-content-center rounded-full text-sm font-semibold tabular-nums ${
            isDone ? 'bg-goodtint text-good' : isWaiting ? 'bg-line/50 text-muted' : 'bg-tint text-accent'
          }`}
        >
          {isDone ? <Check /> : number}
        </span>
        <div
          className={`min-w-0 flex-1 ${isWaiting ? 'flex flex-wrap items-baseline justify-between gap-x-4' : ''}`}
        >
          <h2 id={id} className={isWaiting ? 'font-medium text-muted' : 'text-lg leading-8 font-semibold'}>
            {title}
            {isDone && <span className="sr-only"> (done)</span>}
          </h2>
          <p className="text-sm text-muted">{isWaiting ? waitsFor : lead}</p>
        </div>
      </div>
      {!isWaiting && (
        <div className="appear mt-4 -mb-2 grid grid-cols-1 gap-4 sm:pl-12">
          {children}
          <Snippet code={code} />
        </div>
      )}
    </section>
  )
}
