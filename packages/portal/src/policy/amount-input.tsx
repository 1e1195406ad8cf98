import { useState } from 'react'
import { Field, Select, TextInput } from '../ui/field.tsx'
import { amountText, isAmount, smallestText, type Unit, wholeText } from './units.ts'

/**
 * An amount, empty for none. `value` is in the smallest unit; where all chains that are meant count in one coin (`unit`), people
 * may type that coin, else only the smallest unit, with what it comes to below. What is no amount is handed on as it was typed.
 */
export function AmountInput({
  label,
  hint,
  value,
  unit,
  error,
  isDisabled = false,
  isRequired = false,
  onChange,
}: {
  label: string
  hint: string
  value: string
  unit: Unit | undefined
  error?: string | undefined
  isDisabled?: boolean
  /** It has to be there; its label is then told to screen readers only, since what it belongs to has said it. */
  isRequired?: boolean
  onChange: (value: string) => void
}) {
  const [wantsWhole, setWantsWhole] = useState(true)
  const [typed, setTyped] = useState<{ text: string; value: string; decimals: number }>()
  const decimals = wantsWhole ? (unit?.decimals ?? 0) : 0
  const isTyped = typed?.value === value && typed.decimals === decimals
  const text = isTyped ? typed.text : isAmount(value) ? wholeText(value, decimals) : value

  function type(next: string) {
    const meant = next.trim() === '' ? '' : (smallestText(next, decimals) ?? `${next} `)
    setTyped({ text: next, value: meant, decimals })
    onChange(meant)
  }

  return (
    <Field
      label={label}
      isLabelHidden={isRequired}
      hint={<Hint value={value} unit={unit} hint={hint} isWhole={decimals > 0} />}
      error={error ?? wrong(value, decimals)}
    >
      {(props) => (
        <span className="flex gap-2">
          <TextInput
            {...props}
            inputMode="decimal"
            disabled={isDisabled}
            required={isRequired}
            placeholder={isRequired ? (unit === undefined ? 'in the smallest unit' : '0.05') : 'no limit'}
            value={text}
            onChange={(event) => type(event.target.value)}
          />
          {unit !== undefined && (
            <Select
              aria-label={`Unit of ${label}`}
              className="w-36! shrink-0"
              disabled={isDisabled}
              value={wantsWhole ? 'whole' : 'smallest'}
              onChange={(event) => setWantsWhole(event.target.value === 'whole')}
            >
              <option value="whole">{unit.symbol}</option>
              <option value="smallest">smallest unit</option>
            </Select>
          )}
        </span>
      )}
    </Field>
  )
}

function Hint({
  value,
  unit,
  hint,
  isWhole,
}: {
  value: string
  unit: Unit | undefined
  hint: string
  isWhole: boolean
}) {
  if (!isAmount(value)) return hint
  if (isWhole) return `${amountText(value, undefined)} in the smallest unit.`
  if (unit !== undefined) return `${amountText(value, unit)}.`
  return `Smallest unit: ${wholeText(value, 18)} of a coin with 18 decimals (ETH), ${wholeText(value, 8)} with 8 (BTC).`
}

function wrong(value: string, decimals: number): string | undefined {
  if (value === '' || isAmount(value)) return undefined
  return decimals > 0
    ? `this is not an amount with at most ${decimals} decimals, such as 0.05`
    : 'this is not a whole number; amounts here are in the smallest unit'
}
