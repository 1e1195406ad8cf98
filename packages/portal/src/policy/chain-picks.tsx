import type { Options } from '../ui/field.tsx'
import { useChains } from './use-chains.ts'

/** Chains as checkboxes; chosen chains that this platform does not know are shown too. */
export function ChainPicks({
  legend,
  value,
  onChange,
}: {
  legend: string
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  const known = useChains().map(({ handle }) => handle)
  const handles = [...known, ...value.filter((handle) => !known.includes(handle))]
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{legend}</legend>
      {handles.map((handle) => (
        <label
          key={handle}
          className="relative flex min-h-8 items-center rounded-lg border border-line bg-surface px-2.5 font-mono text-xs text-muted transition has-checked:border-accent has-checked:bg-tint has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:cursor-not-allowed max-sm:min-h-10"
        >
          <input
            type="checkbox"
            className="sr-only"
            checked={value.includes(handle)}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, handle] : value.filter((one) => one !== handle))
            }
          />
          {handle}
        </label>
      ))}
    </fieldset>
  )
}

/** The options of a select of chains; `value` is always among them. */
export function useChainOptions(value: string): Options {
  const known = useChains().map(({ handle }) => handle)
  const handles = value === '' || known.includes(value) ? known : [...known, value]
  const options = handles.map((handle) => [handle, handle] as const)
  return value === '' ? [['', 'Chain…'], ...options] : options
}
