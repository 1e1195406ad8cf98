import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { TextLink } from '../../ui/links.tsx'

/** A numbered step of the quick start. */
export function Step({
  number,
  title,
  isDone,
  children,
}: {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}) {
  return (
    <li className="flex min-w-0 gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <span
        aria-hidden="true"
        className={`grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold max-sm:hidden ${isDone ? 'bg-goodtint text-good' : 'bg-tint text-accent'}`}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3 text-sm text-muted">
        <h2 className="text-sm leading-7 font-semibold text-ink">
          <span className="sm:hidden">{number}. </span>
          {title} {isDone && <span className="sr-only">(done)</span>}
        </h2>
        {children}
      </div>
    </li>
  )
}

/** Says whether the company has its first wallet. */
export function WalletStatus({ hasWallet }: { hasWallet: boolean }) {
  return (
    <p role="status" className="flex items-center gap-2">
      {hasWallet ? (
        <>
          <Check className="size-4 text-good" aria-hidden="true" /> Your first wallet exists.{' '}
          <TextLink to="/o/$slug/wallets">View it</TextLink>
        </>
      ) : (
        <>
          <span className="pulse size-2 rounded-full bg-accent" aria-hidden="true" /> Waiting for your first
          wallet…
        </>
      )}
    </p>
  )
}
