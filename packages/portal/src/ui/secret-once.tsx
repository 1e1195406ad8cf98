import { Check, Copy } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from './button.tsx'

/** A secret that is shown once, to copy; `onKept` is called when it is copied, by the button or by hand. */
export function SecretOnce({
  label,
  secret,
  onKept,
}: {
  label: string
  secret: string
  onKept?: () => void
}) {
  const [isCopied, setCopied] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied(true)
      onKept?.()
    } catch {
      field.current?.select()
    }
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        ref={field}
        readOnly
        rows={2}
        value={secret}
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        onCopy={onKept}
        className="w-full resize-none rounded-lg border border-strong bg-sunken p-3 font-mono text-sm break-all"
      />
      <Button look="primary" onClick={copy} icon={isCopied ? Check : Copy}>
        {isCopied ? 'Copied' : `Copy ${label.toLowerCase()}`}
      </Button>
    </div>
  )
}
