import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/mark.tsx'
import { pageEntries } from './pages.ts'

const everywhere: readonly (readonly [string[], string])[] = [
  [['⌘ or Ctrl', 'K'], 'Search for a page, company or wallet'],
  [['/'], 'Search this page'],
  [['?'], 'Show keyboard shortcuts'],
  [['Esc'], 'Close a dialog or menu'],
]

/** Lists the keyboard shortcuts of the portal. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const rows = [
    ...everywhere,
    ...pageEntries.map(({ key, title }) => [['g', key], `Go to ${title}`] as const),
  ]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-sm">
        {rows.map(([keys, text]) => (
          <div key={text} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
