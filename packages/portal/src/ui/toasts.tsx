import { CircleAlert, CircleCheck } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'

type Toast = { id: number; text: string; look: 'good' | 'bad' }
type Show = (text: string, look?: Toast['look']) => void

const shownMs = 4_000
const Context = createContext<Show>(() => undefined)

/** Shows a message at the edge of the page for four seconds. */
export const useToast = (): Show => useContext(Context)

/** Lets the page within it show toasts; once per page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const last = useRef(0)
  const show = useCallback<Show>((text, look = 'good') => {
    last.current += 1
    const id = last.current
    setToasts((shown) => [...shown.slice(-2), { id, text, look }])
    setTimeout(() => setToasts((shown) => shown.filter((one) => one.id !== id)), shownMs)
  }, [])
  return (
    <Context value={show}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2 sm:left-auto sm:items-end"
      >
        {toasts.map(({ id, text, look }) => {
          const Icon = look === 'good' ? CircleCheck : CircleAlert
          return (
            <p
              key={id}
              className="appear flex items-center gap-2 rounded-lg bg-ink px-3.5 py-2.5 text-sm text-canvas shadow-lg"
            >
              <Icon className="size-4 shrink-0" aria-hidden="true" />
              {text}
            </p>
          )
        })}
      </div>
    </Context>
  )
}
