import { type InputHTMLAttributes, useId } from 'react'

/** A labelled text field. */
export function Field({
  label,
  onText,
  hint,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & {
  label: string
  hint?: string
  onText: (text: string) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0 flex-1 basis-56">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        className="h-11 w-full rounded-lg border border-strong bg-surface px-3 text-base placeholder:text-muted/70 sm:text-sm"
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
