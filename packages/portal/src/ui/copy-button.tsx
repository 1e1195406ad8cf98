import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toast } from './toasts.tsx'

/** Copies a text and says so for two seconds; `what` names it. */
export function CopyButton({
  text,
  what,
  className = '',
}: {
  text: string
  what: string
  className?: string
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toast('The browser did not allow copying. Select the text instead.', 'bad')
    }
  }

  return (
    <button
      type="button"
      onClick={copy}
      title={`Copy ${what}`}
      aria-label={isCopied ? `${what} copied` : `Copy ${what}`}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition hover:bg-sunken hover:text-ink max-sm:size-10 ${className}`}
    >
      {isCopied ? (
        <Check className="size-4 text-good" aria-hidden="true" />
      ) : (
        <Copy className="size-4" aria-hidden="true" />
      )}
    </button>
  )
}
