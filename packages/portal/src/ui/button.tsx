import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

/** How buttons look; links that act like one take it too. */
export const buttonLooks = {
  primary: 'bg-ink text-canvas hover:opacity-85',
  secondary: 'border border-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-muted hover:bg-sunken hover:text-ink',
  danger: 'border border-bad/50 bg-surface text-bad hover:bg-badtint',
}

/** The form of every button. */
export const buttonForm =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-lg px-3.5 text-sm font-medium whitespace-nowrap transition disabled:cursor-not-allowed disabled:opacity-45 aria-disabled:cursor-progress max-sm:min-h-11'

/** A button; while busy it shows a spinner in place of its icon and takes no clicks, but keeps focus and width. */
export function Button({
  look = 'secondary',
  isBusy = false,
  icon,
  children,
  onClick,
  className = '',
  type = 'button',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof buttonLooks
  isBusy?: boolean
  icon?: ReactNode
}) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${buttonForm} ${buttonLooks[look]} ${className}`}
    >
      {isBusy ? <LoaderCircle className="size-4 motion-safe:animate-spin" aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

/** A square button with an icon alone; `label` is what it is called. */
export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={`inline-grid size-9 shrink-0 place-items-center rounded-lg text-muted transition hover:bg-sunken hover:text-ink disabled:opacity-45 max-sm:size-11 [&_svg]:size-4 ${className}`}
    >
      {children}
    </button>
  )
}
