import { useEffect, useState } from 'react'
import { Check, Copy } from './icons.tsx'

const shownMs = 1_500

/** Copies a text and says so for a moment. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      aria-label={isCopied ? `${what}: copied` : `Copy ${what}`}
      title={isCopied ? 'Copied' : 'Copy'}
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }
      className="inline-grid size-9 shrink-0 place-content-center rounded-md text-muted hover:bg-sunken hover:text-ink"
    >
      {isCopied ? <Check /> : <Copy />}
    </button>
  )
}
