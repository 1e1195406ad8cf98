import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'

/** A search that takes effect with Enter or when the field is left, within a form too; `/` on the keyboard leads here. */
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

  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    search(text)
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
          onKeyDown={onKey}
          onBlur={() => search(text)}
          placeholder={placeholder}
          className="min-h-9 w-full rounded-lg border border-strong bg-surface pr-9 pl-9 text-sm placeholder:text-muted max-sm:min-h-11"
        />
        {text !== '' && (
          <button
            type="button"
            aria-label="Clear the search"
            onClick={() => {
              setText('')
              search('')
            }}
            className="absolute top-1/2 right-1.5 grid size-7 -translate-y-1/2 place-items-center rounded-md text-muted hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        )}
      </div>
    </search>
  )
}
