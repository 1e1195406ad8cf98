import { useNavigate, useSearch } from '@tanstack/react-router'

/** Whether a flag is in the address (`?create=true`), which opens a dialog, and a function that sets it. */
export function useFlag(name: 'create' | 'mint'): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const { [name]: flag } = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (isOn: boolean) =>
    void navigate({
      to: '.',
      search: ({ [name]: _, ...before }) => ({ ...before, ...(isOn && { [name]: true }) }),
      replace: true,
    })
  return [flag === true, set]
}
