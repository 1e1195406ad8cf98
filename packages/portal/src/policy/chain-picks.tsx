import { useChains } from './use-chains.ts'

/** Chains to choose from, as boxes to tick; chains that are chosen but unknown here stay in sight. */
export function ChainPicks({
  legend,
  value,
  isDisabled = false,
  onChange,
}: {
  legend: string
  value: readonly string[]
  isDisabled?: boolean
  onChange: (value: string[]) => void
}) {
  const known = useChains().map(({ handle }) => handle)
  const handles = [...known, ...value.filter((handle) => !known.includes(handle))]
  return (
    <fieldset disabled={isDisabled} className="flex flex-wrap gap-1.5">
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

/** A chain out of all. */
export function ChainOptions({ value }: { value: string }) {
  const known = useChains().map(({ handle }) => handle)
  return (
    <>
      {value === '' && <option value="">Chain…</option>}
      {[...known, ...(value === '' || known.includes(value) ? [] : [value])].map((handle) => (
        <option key={handle} value={handle}>
          {handle}
        </option>
      ))}
    </>
  )
}
