import type { ButtonHTMLAttributes } from 'react'
import { Spinner } from './icons.tsx'

const looks = {
  primary: 'bg-ink text-canvas hover:opacity-85',
  secondary: 'border border-strong bg-surface text-ink hover:bg-sunken',
  danger: 'border border-bad/50 bg-surface text-bad hover:bg-badtint',
}

/** A button of 44 px; while busy it shows a spinner and takes no clicks, but keeps the focus. */
export function Button({
  look = 'secondary',
  isBusy = false,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof looks; isBusy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 text-sm font-medium whitespace-nowrap transition disabled:cursor-not-allowed disabled:opacity-45 aria-disabled:cursor-progress ${looks[look]}`}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}
