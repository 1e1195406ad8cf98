import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { keepPreference, readPreference } from '../adapters/browser.ts'

/** The choice of colours; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

const themes: readonly Theme[] = ['system', 'light', 'dark']
const Context = createContext<readonly [Theme, (theme: Theme) => void]>(['system', () => undefined])

/** The theme that this browser has kept. */
export function keptTheme(): Theme {
  return themes.find((one) => one === readPreference('theme')) ?? 'system'
}

/** Shows the page in the colours of a theme. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
}

/** Holds the theme of the page, `initial` at first. */
export function ThemeProvider({ initial, children }: { initial: Theme; children: ReactNode }) {
  const [theme, setTheme] = useState(initial)
  function choose(next: Theme) {
    // Before anything renders: charts read their colours from the page.
    applyTheme(next)
    keepPreference('theme', next)
    setTheme(next)
  }
  return <Context value={[theme, choose]}>{children}</Context>
}

/** The theme, and a function that chooses another one for this browser. */
export const useTheme = () => useContext(Context)

/** Whether the page is dark right now, by choice or because the device is. */
export function useIsDark(): boolean {
  const [theme] = useTheme()
  const isDeviceDark = useSyncExternalStore(subscribe, () => darkDevice().matches)
  return theme === 'system' ? isDeviceDark : theme === 'dark'
}

const darkDevice = () => matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  const media = darkDevice()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}
