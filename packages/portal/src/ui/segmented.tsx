import { useId } from 'react'

/** A choice among a few short words, side by side. */
export function Segmented<value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly (readonly [value, string])[]
  value: value
  onChange: (value: value) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex rounded-lg border border-line bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([option, text]) => (
        <label
          key={option}
          className="relative flex min-h-8 flex-1 items-center justify-center rounded-md px-3 text-sm font-medium whitespace-nowrap text-muted transition hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:min-h-10"
        >
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
            className="sr-only"
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
