import type { SigningMode } from './demo-config.ts'
import { Mark } from './ui/icons.tsx'

const modes = [
  { mode: 'client', name: 'Client mode', explained: 'the key is generated and used in the browser' },
  { mode: 'tee', name: 'TEE mode', explained: 'the key lives in an attested enclave' },
] as const

/** Where to go on: agents and settings are in the portal. */
const links = [
  { href: '/portal', name: 'Portal' },
  { href: '/dev/mailbox', name: 'Mailbox' },
  { href: '/reference', name: 'API' },
]

/** Name, links and the choice of the organization: where its users’ keys are. */
export function PageHeader({ mode, onMode }: { mode: SigningMode; onMode: (mode: SigningMode) => void }) {
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-canvas/90 backdrop-blur">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2.5">
        <p className="flex items-center gap-2 font-semibold">
          <Mark /> Symbolon <span className="font-normal text-muted">demo</span>
        </p>
        <fieldset className="order-last flex w-full rounded-lg border border-line bg-sunken p-0.5 sm:order-none sm:w-auto">
          <legend className="sr-only">Where the key is</legend>
          {modes.map((one) => (
            <label
              key={one.mode}
              title={one.explained}
              className={`flex min-h-10 flex-1 cursor-pointer items-center justify-center rounded-md px-4 text-sm font-medium whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent ${
                one.mode === mode ? 'bg-surface shadow-xs' : 'text-muted hover:text-ink'
              }`}
            >
              <input
                type="radio"
                name="mode"
                value={one.mode}
                checked={one.mode === mode}
                onChange={() => onMode(one.mode)}
                className="sr-only"
              />
              {one.name}
            </label>
          ))}
        </fieldset>
        <nav aria-label="More" className="ml-auto flex gap-4 text-sm text-muted">
          {links.map(({ href, name }) => (
            <a key={href} href={href} target="_blank" rel="noreferrer" className="py-2 hover:text-ink">
              {name}
            </a>
          ))}
        </nav>
      </div>
    </header>
  )
}
