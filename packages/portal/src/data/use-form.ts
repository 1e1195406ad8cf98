import { useState } from 'react'
import { issueOf } from './explain-error.ts'

/** The values of a form while they are edited. */
export type Form<values> = {
  values: values
  set: (change: Partial<values>) => void
  /** The props of the text field `name`: its value, its change and, from the API's `error`, the issue at `path`. */
  field: (
    name: TextName<values>,
    error: unknown,
    path?: string,
  ) => { value: string; onText: (text: string) => void; error: string | undefined }
}

type TextName<values> = { [name in keyof values]: values[name] extends string ? name : never }[keyof values] &
  string

/** Holds the values of a form, `initial` at first. */
export function useForm<values extends object>(initial: values | (() => values)): Form<values> {
  const [values, setValues] = useState(initial)
  const set = (change: Partial<values>) => setValues((before) => ({ ...before, ...change }))
  return {
    values,
    set,
    field: (name, error, path = name) => ({
      value: String(values[name]),
      onText: (text) => set({ [name]: text } as Partial<values>),
      error: issueOf(error, path),
    }),
  }
}
