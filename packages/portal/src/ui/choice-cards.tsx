import type { ReactNode } from 'react'
import { useId } from 'react'
import { Badge } from './badge.tsx'

/** One of the things to choose from. */
export type Choice<value extends string> = { value: value; title: string; text: ReactNode }

/** A choice among a few things that each need a sentence: radio buttons as cards. `current` marks what is in effect. */
export function ChoiceCards<value extends string>({
  legend,
  choices,
  value,
  current,
  onChange,
  isDisabled = false,
}: {
  legend: string
  choices: readonly Choice<value>[]
  value: value
  current?: value
  onChange: (value: value) => void
  isDisabled?: boolean
}) {
  const name = useId()
  return (
    <fieldset disabled={isDisabled} className="grid gap-2.5 sm:grid-cols-2">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex gap-3 rounded-xl border border-line bg-surface p-3.5 transition has-checked:border-accent has-checked:bg-tint has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:cursor-not-allowed not-has-checked:hover:border-strong"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
          />
          <span className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-2 text-sm font-medium">
              {choice.title} {choice.value === current && <Badge look="good">Current</Badge>}
            </span>
            <span className="text-xs text-pretty text-muted">{choice.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
