import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'

/** The looks of buttons, and of links that act like one. */
export const buttonLooks = {
  primary: 'bg-ink text-canvas hover:opacity-85',
  secondary: 'border border-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-muted hover:bg-sunken hover:text-ink',
  danger: 'border border-bad/50 bg-surface text-bad hover:bg-badtint',
}

/** The form of every button. */
export const buttonForm =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-lg px-3.5 text-sm font-medium whitespace-nowrap transition disabled:cursor-not-allowed disabled:opacity-45 aria-disabled:cursor-progress max-sm:min-h-11'

/** A button. While busy it shows a spinner instead of its icon and ignores clicks, but keeps focus and width. */
export function Button({
  look = 'secondary',
  isBusy = false,
  icon: Icon,
  children,
  onClick,
  className = '',
  type = 'button',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof buttonLooks
  isBusy?: boolean
  icon?: LucideIcon
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
      {isBusy ? (
        <LoaderCircle className="size-4 motion-safe:animate-spin" aria-hidden="true" />
      ) : (
        Icon && <Icon className="size-4" aria-hidden="true" />
      )}
      {children}
    </button>
  )
}

/** A square button that shows only an icon; `label` is its name. */
export function IconButton({
  label,
  icon: Icon,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; icon: LucideIcon }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={`inline-grid size-9 shrink-0 place-items-center rounded-lg text-muted transition hover:bg-sunken hover:text-ink disabled:opacity-45 max-sm:size-11 [&_svg]:size-4 ${className}`}
    >
      <Icon aria-hidden="true" />
    </button>
  )
}
