import type { ReactNode } from 'react'

function Icon({ children, className = 'size-4' }: { children: ReactNode; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** The two halves of a broken token. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-7 shrink-0" aria-hidden="true">
      <path className="fill-accent" d="M14 2.14a14 14 0 0 0 0 27.72L11 24l4-5-4-5 4-5z" />
      <path className="fill-accent opacity-55" d="M18 2.14a14 14 0 0 1 0 27.72L15 24l4-5-4-5 4-5z" />
    </svg>
  )
}

/** Done, or right. */
export function Check({ className }: { className?: string }) {
  return (
    <Icon {...(className === undefined ? {} : { className })}>
      <path d="M5 13l4 4L19 7" />
    </Icon>
  )
}

/** Failed. */
export function Cross() {
  return (
    <Icon>
      <path d="M6 6l12 12M18 6L6 18" />
    </Icon>
  )
}

/** Two sheets: copies. */
export function Copy() {
  return (
    <Icon>
      <rect x="9" y="9" width="11" height="11" rx="2" />
      <path d="M5 15V6a2 2 0 0 1 2-2h8" />
    </Icon>
  )
}

/** An envelope. */
export function Mail() {
  return (
    <Icon>
      <rect x="3" y="5" width="18" height="14" rx="2" />
      <path d="M4 7l8 6 8-6" />
    </Icon>
  )
}

/** Angle brackets: code. */
export function Code() {
  return (
    <Icon>
      <path d="M8 7l-5 5 5 5M16 7l5 5-5 5" />
    </Icon>
  )
}

/** Something is going on. */
export function Spinner() {
  return (
    <Icon className="size-4 motion-safe:animate-spin">
      <path d="M12 3a9 9 0 1 0 9 9" />
    </Icon>
  )
}
