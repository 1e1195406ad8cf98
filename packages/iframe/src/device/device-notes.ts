/** Short texts that this browser keeps in the frame's own origin; in memory where it keeps none. */
export type DeviceNotes = {
  get(name: string): string | null
  set(name: string, text: string): void
  drop(name: string): void
}

/** The notes in a storage of the browser, which may refuse at any time. */
export function deviceNotes(open: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): DeviceNotes {
  const memory = new Map<string, string>()
  const safely = <value>(use: (storage: ReturnType<typeof open>) => value, otherwise: value): value => {
    try {
      return use(open())
    } catch {
      return otherwise
    }
  }
  const keyOf = (name: string) => `symbolon ${name}`
  return {
    get: (name) => safely((storage) => storage.getItem(keyOf(name)), null) ?? memory.get(name) ?? null,
    set(name, text) {
      memory.set(name, text)
      safely((storage) => storage.setItem(keyOf(name), text), undefined)
    },
    drop(name) {
      memory.delete(name)
      safely((storage) => storage.removeItem(keyOf(name)), undefined)
    },
  }
}
