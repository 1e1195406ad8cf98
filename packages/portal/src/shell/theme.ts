import { useSyncExternalStore } from 'react'
import { keepPreference, readPreference } from '../adapters/browser.ts'

/** The choice of colours; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

const themes: readonly Theme[] = ['system', 'light', 'dark']
const listeners = new Set<() => void>()
let theme: Theme = themes.find((one) => one === readPreference('theme')) ?? 'system'

/** Shows the page in the chosen colours; once, before anything is shown. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme
}

/** Chooses other colours, for this browser. */
export function setTheme(next: Theme): void {
  theme = next
  keepPreference('theme', next)
  applyTheme()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)')
  listeners.add(listener)
  media.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    media.removeEventListener('change', listener)
  }
}

/** The chosen colours. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme)
}

/** Whether the page is dark right now, by choice or by the device. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () =>
    theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark',
  )
}
