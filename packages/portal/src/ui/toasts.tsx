import { CircleAlert, CircleCheck } from 'lucide-react'
import { useSyncExternalStore } from 'react'

type Toast = { id: number; text: string; look: 'good' | 'bad' }

const shownMs = 4_000
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Says something at the edge of the page for four seconds. */
export function toast(text: string, look: Toast['look'] = 'good'): void {
  const id = ++last
  set([...toasts.slice(-2), { id, text, look }])
  setTimeout(() => set(toasts.filter((one) => one.id !== id)), shownMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where toasts appear; once per page. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2 sm:left-auto sm:items-end"
    >
      {shown.map(({ id, text, look }) => (
        <p
          key={id}
          className="appear flex items-center gap-2 rounded-lg bg-ink px-3.5 py-2.5 text-sm text-canvas shadow-lg"
        >
          {look === 'good' ? (
            <CircleCheck className="size-4 shrink-0" aria-hidden="true" />
          ) : (
            <CircleAlert className="size-4 shrink-0" aria-hidden="true" />
          )}
          {text}
        </p>
      ))}
    </div>
  )
}
