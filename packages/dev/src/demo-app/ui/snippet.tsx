import { useId, useState } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Code } from './icons.tsx'

/** The code of a step, folded away until it is wanted. */
export function Snippet({ code }: { code: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="-ml-2 inline-flex min-h-9 items-center gap-1.5 rounded-md px-2 text-xs font-medium text-muted hover:text-ink"
      >
        <Code /> {isOpen ? 'Hide the code' : 'Show the code'}
      </button>
      <div id={id} hidden={!isOpen} className="relative mt-1 rounded-lg border border-line bg-sunken">
        <div className="absolute top-1 right-1">
          <CopyButton text={code} what="code" />
        </div>
        <pre className="overflow-x-auto p-3 pr-11 font-mono text-xs leading-relaxed">{code}</pre>
      </div>
    </div>
  )
}
