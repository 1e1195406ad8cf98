import { Switch } from 'radix-ui'
import { type ReactNode, useId } from 'react'

/** A switch with a title and a sentence about it. */
export function SwitchRow({
  title,
  text,
  isOn,
  onChange,
  isDisabled = false,
}: {
  title: string
  text: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
}) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="flex flex-col gap-0.5">
        <label htmlFor={id} className="text-sm font-medium">
          {title}
        </label>
        <p id={`${id}-about`} className="text-xs text-pretty text-muted">
          {text}
        </p>
      </div>
      <Switch.Root
        id={id}
        aria-describedby={`${id}-about`}
        checked={isOn}
        onCheckedChange={onChange}
        disabled={isDisabled}
        className="mt-0.5 h-6 w-10 shrink-0 rounded-full bg-strong p-0.5 transition data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <Switch.Thumb className="block size-5 rounded-full bg-white transition data-[state=checked]:translate-x-4 dark:bg-canvas" />
      </Switch.Root>
    </div>
  )
}
