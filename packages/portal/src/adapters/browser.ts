/** The wall clock, in milliseconds since 1970: for words such as "2 min ago", never for decisions. */
export function nowMs(): number {
  return Date.now()
}

/** Reads a preference of this browser; null where there is none or storage is refused. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`symbolon-portal.${name}`)
  } catch {
    return null
  }
}

/** Keeps a preference of this browser; nothing happens where storage is refused. Never a credential. */
export function keepPreference(name: string, value: string): void {
  try {
    localStorage.setItem(`symbolon-portal.${name}`, value)
  } catch {
    // The preference lasts as long as the page.
  }
}

/** Whether the keyboard has a ⌘ key: what a shortcut is called, never what it does. */
export function hasCommandKey(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/**
 * Gives the browser a language that `Intl` takes. Chrome under the locale `C` (no `LANG`: containers, kiosks) calls its own
 * `en-US@posix`, and what formats by `navigator.language` while it loads (uPlot) throws then.
 */
export function settleLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
  }
}
