import type { ReactNode } from 'react'
import { Mono } from './code.tsx'
import { ExactTime } from './time.tsx'

/** Names with their values, one below the other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col divide-y divide-line text-sm">{children}</dl>
}

/** A name with its value; narrow pages put the value below the name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-0.5 py-1.5">
      <dt className="w-36 shrink-0 text-muted max-sm:w-auto">{name}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere max-sm:basis-full">
        {children}
      </dd>
    </div>
  )
}

/** A fact whose value is an ID or another text for machines, to copy. */
export function MonoFact({ name, text }: { name: string; text: string }) {
  return (
    <Fact name={name}>
      <Mono text={text} what={name} />
    </Fact>
  )
}

/** A fact whose value is a time. */
export function TimeFact({ name, at }: { name: string; at: string }) {
  return (
    <Fact name={name}>
      <ExactTime at={at} />
    </Fact>
  )
}
