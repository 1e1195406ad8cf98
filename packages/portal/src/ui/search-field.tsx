import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'

/** A search that runs on Enter or when the field loses focus, inside a form too. The key `/` focuses it. */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
}: {
  label: string
  placeholder: string
  value: string
  onSearch: (value: string) => void
}) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])

  function search(next: string) {
    if (next.trim() !== value) onSearch(next.trim())
  }

  function clear() {
    setText('')
    search('')
  }

  return (
    <search className="w-full min-w-0 sm:w-auto sm:flex-1">
      <div className="relative">
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
          aria-hidden="true"
        />
        <input
          data-search
          enterKeyHint="search"
          aria-label={label}
          title="Press / to search"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => isEnter(event) && search(text)}
          onBlur={() => search(text)}
          placeholder={placeholder}
          className="min-h-9 w-full rounded-lg border border-strong bg-surface pr-9 pl-9 text-sm placeholder:text-muted max-sm:min-h-11"
        />
        {text !== '' && (
          <button
            type="button"
            aria-label="Clear search"
            onClick={clear}
            className="absolute top-1/2 right-1.5 grid size-7 -translate-y-1/2 place-items-center rounded-md text-muted hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        )}
      </div>
    </search>
  )
}

/** Whether Enter was pressed, which then does not submit the form around. */
function isEnter(event: KeyboardEvent): boolean {
  const is = event.key === 'Enter'
  if (is) event.preventDefault()
  return is
}
