import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useToast } from './toasts.tsx'

/** Copies a text and confirms it for two seconds; `what` names the text. */
export function CopyButton({
  text,
  what,
  className = '',
}: {
  text: string
  what: string
  className?: string
}) {
  const toast = useToast()
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
      toast('Your browser blocked copying. Select the text and copy it by hand.', 'bad')
    }
  }

  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      onClick={copy}
      title={`Copy ${what}`}
      aria-label={isCopied ? `${what} copied` : `Copy ${what}`}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition hover:bg-sunken hover:text-ink max-sm:size-10 ${className}`}
    >
      <Icon className={`size-4 ${isCopied ? 'text-good' : ''}`} aria-hidden="true" />
    </button>
  )
}
