const focusable = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Keeps the keyboard inside a dialog until `signal` aborts: Tab goes round, never into the page around the frame. */
export function trapFocus(panel: HTMLElement, signal: AbortSignal): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Tab') return
      const stops = [...panel.querySelectorAll<HTMLElement>(focusable)].filter(
        (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
      )
      const active = document.activeElement
      const at = active instanceof HTMLElement ? stops.indexOf(active) : -1
      const isInside = panel.contains(active)
      const next = event.shiftKey ? stops.at(-1) : stops[0]
      const isAtEnd = event.shiftKey ? at <= 0 : at === stops.length - 1
      if (isInside && !isAtEnd) return
      event.preventDefault()
      next?.focus()
    },
    { signal },
  )
}
