/** Listeners by event; one that throws stops neither the others nor the sender. */
export type Emitter<events> = {
  on<name extends keyof events>(event: name, listener: (value: events[name]) => void): void
  off<name extends keyof events>(event: name, listener: (value: events[name]) => void): void
  emit<name extends keyof events>(event: name, value: events[name]): void
  has(event: keyof events): boolean
}

/** An emitter without listeners. */
export function emitter<events>(): Emitter<events> {
  const listeners = new Map<keyof events, Set<(value: never) => void>>()
  return {
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    off(event, listener) {
      listeners.get(event)?.delete(listener)
    },
    emit(event, value) {
      for (const listener of [...(listeners.get(event) ?? [])]) {
        try {
          listener(value as never)
        } catch (error) {
          // As an event listener's mistake: reported, and nobody else's trouble.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    has: (event) => (listeners.get(event)?.size ?? 0) > 0,
  }
}
