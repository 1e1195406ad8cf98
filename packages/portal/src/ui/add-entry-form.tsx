import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from './button.tsx'
import { Field, TextInput } from './field.tsx'

/**
 * One field and a button that add an entry to a list. `onAdd` gets the text, and a function that empties the field once the entry is
 * saved; `error` says why the text was not taken.
 */
export function AddEntryForm({
  label,
  hint,
  placeholder,
  button,
  error,
  isBusy,
  onAdd,
}: {
  label: string
  hint: string
  placeholder: string
  button: string
  error: string | undefined
  isBusy: boolean
  onAdd: (text: string, clear: () => void) => void
}) {
  const [text, setText] = useState('')

  function add(event: FormEvent) {
    event.preventDefault()
    onAdd(text.trim(), () => setText(''))
  }

  return (
    <form onSubmit={add} noValidate className="flex items-start gap-2">
      <Field label={label} className="flex-1" hint={hint} error={error}>
        {(props) => (
          <TextInput
            {...props}
            required
            value={text}
            onText={setText}
            placeholder={placeholder}
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" className="mt-[1.625rem]" isBusy={isBusy} icon={Plus}>
        {button}
      </Button>
    </form>
  )
}
