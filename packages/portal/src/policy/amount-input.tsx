import { useState } from 'react'
import { Field, Select, TextInput } from '../ui/field.tsx'
import { amountText, isAmount, smallestText, type Unit, wholeText } from './units.ts'

/**
 * An amount in the smallest unit; empty means no limit. With a `unit`, people may type whole coins instead, and the hint converts.
 * A text that is not an amount is passed on as typed.
 */
export function AmountInput({
  label,
  hint,
  value,
  unit,
  error,
  isRequired = false,
  onChange,
}: {
  label: string
  hint: string
  value: string
  unit: Unit | undefined
  error?: string | undefined
  /** Whether it has to be filled in; only screen readers then get the label, because the choice around it shows it. */
  isRequired?: boolean
  onChange: (value: string) => void
}) {
  const [wantsWhole, setWantsWhole] = useState(true)
  const decimals = wantsWhole ? (unit?.decimals ?? 0) : 0
  const [text, type] = useTyped(value, decimals, onChange)
  return (
    <Field
      label={label}
      isLabelHidden={isRequired}
      hint={hintOf(value, unit, decimals > 0) ?? hint}
      error={error ?? errorOf(value, decimals)}
    >
      {(props) => (
        <span className="flex gap-2">
          <TextInput
            {...props}
            inputMode="decimal"
            required={isRequired}
            placeholder={isRequired ? (unit === undefined ? 'Smallest unit' : '0.05') : 'No limit'}
            value={text}
            onText={type}
          />
          {unit !== undefined && (
            <Select
              aria-label={`Unit of ${label}`}
              className="w-36! shrink-0"
              value={wantsWhole ? 'whole' : 'smallest'}
              options={[
                ['whole', unit.symbol],
                ['smallest', 'Smallest unit'],
              ]}
              onText={(next) => setWantsWhole(next === 'whole')}
            />
          )}
        </span>
      )}
    </Field>
  )
}

/** The text of an amount while it is typed: `5.` stays `5.`, although it means the same as `5`. */
function useTyped(value: string, decimals: number, onChange: (value: string) => void) {
  const [typed, setTyped] = useState<{ text: string; value: string; decimals: number }>()
  const isTyped = typed?.value === value && typed.decimals === decimals
  const text = isTyped ? typed.text : isAmount(value) ? wholeText(value, decimals) : value

  function type(next: string) {
    const meant = next.trim() === '' ? '' : (smallestText(next, decimals) ?? `${next} `)
    setTyped({ text: next, value: meant, decimals })
    onChange(meant)
  }

  return [text, type] as const
}

function hintOf(value: string, unit: Unit | undefined, isWhole: boolean): string | undefined {
  if (!isAmount(value)) return undefined
  if (isWhole) return `${amountText(value, undefined)} in the smallest unit.`
  if (unit !== undefined) return `${amountText(value, unit)}.`
  return `In the smallest unit: ${wholeText(value, 18)} of a coin with 18 decimals (ETH), ${wholeText(value, 8)} of one with 8 (BTC).`
}

function errorOf(value: string, decimals: number): string | undefined {
  if (value === '' || isAmount(value)) return undefined
  return decimals > 0
    ? `Enter an amount with at most ${decimals} decimals, such as 0.05.`
    : 'Enter a whole number: amounts here are in the smallest unit.'
}
