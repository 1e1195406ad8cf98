import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** One row: `text` is shown in full in a fixed-width font and can be copied; otherwise `children` is shown. */
export function Fact({ name, text, children }: { name: string; text?: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-3 pl-3 not-last:border-b not-last:border-line">
      <dt className="w-20 shrink-0 text-xs text-muted sm:w-32 sm:text-sm">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-3 py-1 text-sm">
        {text === undefined ? (
          <div className="min-w-0 flex-1">{children}</div>
        ) : (
          <>
            <span className="min-w-0 flex-1 font-mono text-xs break-all">{text}</span>
            <CopyButton text={text} what={name} />
          </>
        )}
      </dd>
    </div>
  )
}

/** A bordered list of facts. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="appear rounded-lg border border-line">{children}</dl>
}
