import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

const forms = {
  middle:
    'm-auto w-[calc(100%-2rem)] max-w-lg max-h-[calc(100dvh-2rem)] rounded-2xl max-sm:mb-4 max-sm:mt-auto',
  side: 'ml-auto mr-0 h-dvh max-h-dvh w-full max-w-xl border-y-0 border-r-0 max-sm:max-w-none',
}

/** The parts that every dialog has. */
export type DialogProps = {
  title: ReactNode
  text?: ReactNode
  form?: keyof typeof forms
  onClose: () => void
  children?: ReactNode
}

/** A dialog in the middle of the page or at its side. Mount it to open it. */
export function Dialog({
  title,
  text,
  form = 'middle',
  onClose,
  children,
  footer,
}: DialogProps & { footer?: ReactNode }) {
  const id = useId()
  return (
    <Modal
      labelledBy={id}
      onClose={onClose}
      className={`overflow-hidden border border-line bg-raised p-0 shadow-2xl ${forms[form]}`}
    >
      <div className="flex max-h-[inherit] flex-col">
        <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
          <div className="flex flex-col gap-1 pt-1">
            <h2 id={id} className="text-base font-semibold">
              {title}
            </h2>
            {text !== undefined && <div className="text-sm text-pretty text-muted">{text}</div>}
          </div>
          <IconButton label="Close" icon={X} onClick={onClose} className="-mr-2" />
        </header>
        {/* `relative`: hidden controls are placed in here, so that their focus scrolls this and not the whole dialog. */}
        <div className="relative flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-2 pb-4 *:shrink-0">
          {children}
        </div>
        {footer !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line bg-sunken px-5 py-3">
            {footer}
          </footer>
        )}
      </div>
    </Modal>
  )
}

/**
 * A `<dialog>` that is modal while it is mounted. Escape and a click beside it close it; the focus then returns to
 * where it was.
 */
export function Modal({
  label,
  labelledBy,
  className,
  onClose,
  children,
}: {
  label?: string
  labelledBy?: string
  className: string
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    // The browser would focus the first button, which closes: prefer the first field, or the dialog as a whole.
    const field = dialog?.querySelector<HTMLElement>('input:not([type="radio"]), textarea, select')
    ;(field ?? dialog)?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key; the click is only the one beside the dialog.
    <dialog
      ref={ref}
      tabIndex={-1}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={`appear ${className}`}
    >
      {children}
    </dialog>
  )
}
