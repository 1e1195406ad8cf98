import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { useId } from 'react'

const control =
  'w-full min-h-9 max-sm:min-h-11 rounded-lg border border-strong bg-surface px-3 text-sm placeholder:text-muted aria-invalid:border-bad disabled:bg-sunken disabled:text-muted'

/** What a control gets from its field. */
export type ControlProps = { id: string; 'aria-describedby': string; 'aria-invalid': true | undefined }

/** A label, its control, what to know about it and what is wrong with it, tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
  className = '',
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Where what is around says it already; screen readers are told. */
  isLabelHidden?: boolean
  children: (props: ControlProps) => ReactNode
  className?: string
}) {
  const id = useId()
  const about = `${id}-about`
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': error === undefined ? undefined : true })}
      <p
        id={about}
        className={`text-xs text-pretty wrap-anywhere ${error === undefined ? 'text-muted' : 'text-bad'}`}
      >
        {error === undefined ? hint : capital(error)}
      </p>
    </div>
  )
}

/** One line of text. */
export function TextInput({ className = '', ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input autoComplete="off" spellCheck={false} {...rest} className={`${control} ${className}`} />
}

/** Several lines of text. */
export function TextArea({ className = '', ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea spellCheck={false} {...rest} className={`${control} py-2 ${className}`} />
}

/** One of several, as the system shows it. */
export function Select({ className = '', children, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...rest} className={`${control} pr-8 ${className}`}>
      {children}
    </select>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
