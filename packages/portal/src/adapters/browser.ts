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
