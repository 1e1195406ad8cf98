/** The logo: two halves of a broken token. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={`shrink-0 ${className}`} aria-hidden="true">
      <path className="fill-accent" d="M14 2.14a14 14 0 0 0 0 27.72L11 24l4-5-4-5 4-5z" />
      <path className="fill-accent opacity-55" d="M18 2.14a14 14 0 0 1 0 27.72L15 24l4-5-4-5 4-5z" />
    </svg>
  )
}

/** A keyboard key. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-mono text-[0.6875rem] text-muted">
      {children}
    </kbd>
  )
}
