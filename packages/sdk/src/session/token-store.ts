import type { TokenStore } from './session.ts'

type Storage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Nothing outlives the page. */
export const memoryTokenStore: TokenStore = { read: () => null, write: () => undefined }

/** The tab's session storage: a reload stays logged in, another tab does not. Silent where storage is refused. */
export function sessionTokenStore(storage: Storage, publishableKey: string): TokenStore {
  const key = `symbolon.token.${publishableKey}`
  return {
    read: () => attempt(() => storage.getItem(key)) ?? null,
    write(token) {
      attempt(() => (token === null ? storage.removeItem(key) : storage.setItem(key, token)))
    },
  }
}

function attempt<value>(act: () => value): value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
