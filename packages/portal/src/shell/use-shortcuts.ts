import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pageEntries } from './pages.ts'

const chordMs = 1_200

/**
 * The keyboard shortcuts of the portal: ⌘K or Ctrl K opens the palette, `/` focuses the page's search field, `?` lists the
 * shortcuts, `g` and a letter opens a page. They are off while a dialog is open; all but ⌘K also while someone types.
 */
export function useShortcuts(slug: string, open: (what: 'palette' | 'keys') => void): void {
  const navigate = useNavigate()
  const chordAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (document.querySelector('dialog[open]') !== null) return
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const isChord = event.timeStamp - chordAt.current < chordMs
      chordAt.current = Number.NEGATIVE_INFINITY
      const entry = isChord ? pageEntries.find(({ key }) => key === event.key) : undefined
      if (entry !== undefined) void navigate({ to: entry.to, params: { slug } })
      else if (event.key === 'g') chordAt.current = event.timeStamp
      else if (event.key === '?') open('keys')
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, open, slug])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"]') !== null
}
