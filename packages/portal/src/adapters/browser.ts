/** The wall clock in milliseconds since 1970: for texts such as "2 min ago", never for decisions. */
export function nowMs(): number {
  return Date.now()
}

/** Reads a preference of this browser; null if it is not set or storage is blocked. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`symbolon-portal.${name}`)
  } catch {
    return null
  }
}

/** Keeps a preference of this browser, unless storage is blocked. Never a credential. */
export function keepPreference(name: string, value: string): void {
  try {
    localStorage.setItem(`symbolon-portal.${name}`, value)
  } catch {
    // The preference lasts as long as the page.
  }
}

/** Whether the keyboard has a ⌘ key: decides how a shortcut is written, never what it does. */
export function hasCommandKey(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/**
 * Gives the browser a language that `Intl` accepts. Chrome under the locale `C` (no `LANG`: containers, kiosks) reports
 * `en-US@posix`, and uPlot, which formats by `navigator.language` while it loads, then throws.
 */
export function settleLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
  }
}
