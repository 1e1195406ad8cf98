import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { useId } from 'react'

const control =
  'w-full min-h-9 max-sm:min-h-11 rounded-lg border border-strong bg-surface px-3 text-sm placeholder:text-muted aria-invalid:border-bad disabled:bg-sunken disabled:text-muted'

/** What a control gets from its field. */
export type ControlProps = { id: string; 'aria-describedby': string; 'aria-invalid': true | undefined }

type About = { label: string; hint?: ReactNode; error?: string | undefined }
type WithText<attributes> = Omit<attributes, 'onChange'> & { onText: (text: string) => void }

/** The values of a select with their names. */
export type Options = readonly (readonly [value: string, name: string])[]

/** A label, its control, a hint and the error, tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
  className = '',
}: About & {
  /** Only screen readers get the label, because the surroundings show it already. */
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
export function TextInput({
  className = '',
  onText,
  ...rest
}: WithText<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      onChange={(event) => onText(event.target.value)}
      className={`${control} ${className}`}
    />
  )
}

/** Several lines of text. */
export function TextArea({
  className = '',
  onText,
  ...rest
}: WithText<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <textarea
      spellCheck={false}
      {...rest}
      onChange={(event) => onText(event.target.value)}
      className={`${control} py-2 ${className}`}
    />
  )
}

/** The system's select; `children` are options beyond those of `options`. */
export function Select({
  className = '',
  options = [],
  children,
  onText,
  ...rest
}: WithText<SelectHTMLAttributes<HTMLSelectElement>> & { options?: Options }) {
  return (
    <select
      {...rest}
      onChange={(event) => onText(event.target.value)}
      className={`${control} pr-8 ${className}`}
    >
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      {children}
    </select>
  )
}

/** A field with one line of text. */
export function TextField({ label, hint, error, ...rest }: About & Parameters<typeof TextInput>[0]) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <TextInput {...rest} {...props} />}
    </Field>
  )
}

/** A field with several lines of text. */
export function TextAreaField({ label, hint, error, ...rest }: About & Parameters<typeof TextArea>[0]) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <TextArea {...rest} {...props} />}
    </Field>
  )
}

/** A field with a select. */
export function SelectField({ label, hint, error, ...rest }: About & Parameters<typeof Select>[0]) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <Select {...rest} {...props} />}
    </Field>
  )
}

/** A select above a list: one of `options`, or with the empty value all of them (`all` names that). */
export function FilterSelect({
  label,
  all,
  options,
  className = 'w-auto! min-w-0 max-sm:flex-1 max-sm:basis-0',
  value = '',
  onText,
}: {
  label: string
  all: string
  options: Options
  className?: string
  value: string | undefined
  onText: (text: string) => void
}) {
  return (
    <Select
      aria-label={label}
      className={className}
      value={value}
      onText={onText}
      options={[['', all], ...options]}
    />
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
