import { X } from 'lucide-react'
import { IconButton } from './button.tsx'

/** Short texts in a frame, each with a button that removes it. */
export function RemovableList({
  entries,
  isDisabled,
  onRemove,
}: {
  entries: readonly string[]
  isDisabled: boolean
  onRemove: (entry: string) => void
}) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {entries.map((entry) => (
        <li key={entry} className="flex items-center justify-between gap-2 py-1 pr-1 pl-3">
          <span className="truncate font-mono text-xs">{entry}</span>
          <IconButton
            label={`Remove ${entry}`}
            icon={X}
            disabled={isDisabled}
            onClick={() => onRemove(entry)}
          />
        </li>
      ))}
    </ul>
  )
}
