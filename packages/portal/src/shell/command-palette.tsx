import { ArrowRight, Search } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Modal } from '../ui/dialog.tsx'
import { Key } from '../ui/mark.tsx'
import { type Command, useCommands } from './commands.tsx'

/** Finds pages, agents, companies, wallets and actions by typing; the arrow keys choose, Enter goes. */
export function CommandPalette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(text.trim(), onKeys)
  const index = Math.min(chosen, commands.length - 1)
  const current = commands[index]

  function go(command: Command | undefined) {
    if (command === undefined) return
    onClose()
    command.run()
  }

  function onKey(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && commands.length > 0) {
      event.preventDefault()
      const next = (commands.length + index + step) % commands.length
      setChosen(next)
      document.getElementById(`command-${commands[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(current)
    }
  }

  return (
    <Modal
      label="Go to"
      onClose={onClose}
      className="mx-auto mt-[12dvh] mb-auto w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-2xl border border-line bg-raised p-0 shadow-2xl"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <input
          role="combobox"
          aria-label="Find a page, agent, company or wallet"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={current && `command-${current.id}`}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
          placeholder="Page, agent, company, email, address or ID"
          className="h-13 w-full bg-transparent text-sm outline-none placeholder:text-muted"
        />
        <Key>Esc</Key>
      </div>
      <Results commands={commands} current={current} onChoose={setChosen} onGo={go} />
      {commands.length === 0 && <p className="px-4 pb-4 text-sm text-muted">No results.</p>}
    </Modal>
  )
}

function Results({
  commands,
  current,
  onChoose,
  onGo,
}: {
  commands: readonly Command[]
  current: Command | undefined
  onChoose: (index: number) => void
  onGo: (command: Command) => void
}) {
  return (
    <div id="commands" role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-y-auto p-2">
      {commands.map((command, index) => (
        <div key={command.id} role="presentation">
          {command.group !== commands[index - 1]?.group && (
            <p role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-muted">
              {command.group}
            </p>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above. */}
          <div
            id={`command-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            onClick={() => onGo(command)}
            onMouseMove={() => onChoose(index)}
            className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-sm aria-selected:bg-tint [&_svg]:size-4 [&_svg]:text-muted"
          >
            {command.icon}
            <span className="min-w-0 flex-1 truncate">{command.title}</span>
            {command === current && <ArrowRight aria-hidden="true" />}
          </div>
        </div>
      ))}
    </div>
  )
}
