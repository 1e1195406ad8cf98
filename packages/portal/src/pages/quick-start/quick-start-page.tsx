import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { apiKeysQuery, walletsQuery } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { AgentStep } from './agent-step.tsx'
import { Shown } from './shown.tsx'
import { curlSnippet, pageSnippet, serverSnippet, signSnippet } from './snippets.ts'
import { useQuickKeys } from './use-quick-keys.ts'

const placeholders = { publishableKey: 'pk_live_…', secretKey: 'sk_live_…' }
const tools = [
  ['curl', 'curl'],
  ['node', 'Node.js'],
] as const
const watchMs = 3_000

/** From nothing to a first call of the backend and a first wallet in a page, with keys of the company's own. */
export function QuickStartPage() {
  const { id: orgID, slug, signing_mode: mode, allowed_origins } = useOrganization()
  const mayMint = useMay('developer')
  const { keys, mint } = useQuickKeys()
  const { data: known } = useQuery(apiKeysQuery(orgID))
  const { data: wallets } = useQuery({
    ...walletsQuery(orgID, { limit: 1 }),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.total > 0 ? false : watchMs),
  })
  const [tool, setTool] = useState<'curl' | 'node'>('curl')
  const walletId = wallets?.items[0]?.id
  const parts = { baseUrl: location.origin, mode, walletId, ...(keys ?? placeholders) }
  const hasKeys =
    keys !== undefined || known?.some(({ type, revoked_at }) => type === 'secret' && revoked_at === null)
  const hasWallet = wallets !== undefined && wallets.total > 0

  return (
    <Page
      title="Quick start"
      lead={`Five minutes from here to ${mode === 'tee' ? 'a signature by your backend' : 'a wallet in a page of yours'}.`}
    >
      <ol className="flex flex-col gap-4">
        <Step number={1} title="Mint two keys" isDone={hasKeys === true}>
          <p>
            One for your app, which everybody may see, and one for your backend, which nobody may. They are in
            the snippets below, ready to run, until you leave this page.
          </p>
          {keys === undefined ? (
            <div className="flex flex-wrap items-center gap-3">
              <Button
                look="primary"
                disabled={!mayMint}
                isBusy={mint.isPending}
                icon={<KeyRound className="size-4" aria-hidden="true" />}
                onClick={() => mint.mutate(undefined)}
              >
                Mint both keys
              </Button>
              {!mayMint && <span className="text-xs">Developers and above mint keys.</span>}
              {mayMint && hasKeys && (
                <span className="text-xs">Or put keys that you have into the snippets by hand.</span>
              )}
            </div>
          ) : (
            <div className="grid gap-4 sm:grid-cols-2">
              <SecretOnce label="Publishable key" secret={keys.publishableKey} />
              <SecretOnce label="Secret key" secret={keys.secretKey} />
            </div>
          )}
          <ErrorNotice error={mint.error} />
        </Step>

        <Step number={2} title="Call from your backend" isDone={mode === 'tee' && hasWallet}>
          <p>
            {mode === 'tee'
              ? 'This makes a wallet for a user who need not have logged in yet, and signs with it in the enclave.'
              : 'In client mode wallets are made in your users’ browsers; your backend sees and archives them.'}
          </p>
          <div className="max-w-60">
            <Segmented label="Tool" options={tools} value={tool} onChange={setTool} />
          </div>
          {tool === 'curl' && <Shown what="call" {...curlSnippet(parts)} />}
          {tool === 'curl' && mode === 'tee' && <Shown what="signature" {...signSnippet(parts)} />}
          {tool === 'node' && (
            <>
              <Shown what="command" language="Shell" code={nodeCommand(parts.secretKey)} />
              <Shown what="program" {...serverSnippet(parts)} />
            </>
          )}
          {mode === 'tee' && <Watch hasWallet={hasWallet} slug={slug} />}
        </Step>

        <Step number={3} title="Let a user in" isDone={mode === 'client' && hasWallet}>
          <p>
            Save this as a file and serve it (<code className="font-mono text-xs">npx serve</code> does). It
            logs a user in by a mailed code, makes the wallet{mode === 'client' && ' in the browser'} and
            signs. On a development platform the mail lands in its{' '}
            <a href="/dev/mailbox" target="_blank" rel="noreferrer" className="text-accent underline">
              mailbox
            </a>
            .
          </p>
          {allowed_origins.length === 0 && (
            <Notice title="No origin is allowed yet.">
              In development pages on this machine may call. For all others add their origin in{' '}
              <Link to="/o/$slug/settings" params={{ slug }} className="text-accent underline">
                Settings
              </Link>
              .
            </Notice>
          )}
          <Shown what="page" {...pageSnippet(parts)} />
          {mode === 'client' && <Watch hasWallet={hasWallet} slug={slug} />}
        </Step>

        {mode === 'tee' && (
          <Step number={4} title="Let an agent sign, within limits" isDone={false}>
            <AgentStep secretKey={parts.secretKey} />
          </Step>
        )}

        <Step number={mode === 'tee' ? 5 : 4} title="Look at what happened" isDone={false}>
          <p>
            Everything left an event. Open the{' '}
            <Link to="/o/$slug/audit" params={{ slug }} className="text-accent underline">
              audit log
            </Link>{' '}
            and let your browser verify it; the{' '}
            <a href="/reference" target="_blank" rel="noreferrer" className="text-accent underline">
              API reference
            </a>{' '}
            has every call.
          </p>
        </Step>
      </ol>
    </Page>
  )
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}) {
  return (
    <li className="flex min-w-0 gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <span
        aria-hidden="true"
        className={`grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold max-sm:hidden ${isDone ? 'bg-goodtint text-good' : 'bg-tint text-accent'}`}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3 text-sm text-muted">
        <h2 className="text-sm leading-7 font-semibold text-ink">
          <span className="sm:hidden">{number}. </span>
          {title} {isDone && <span className="sr-only">(done)</span>}
        </h2>
        {children}
      </div>
    </li>
  )
}

function Watch({ hasWallet, slug }: { hasWallet: boolean; slug: string }) {
  return (
    <p role="status" className="flex items-center gap-2">
      {hasWallet ? (
        <>
          <Check className="size-4 text-good" aria-hidden="true" /> There is a wallet.{' '}
          <Link to="/o/$slug/wallets" params={{ slug }} className="text-accent underline">
            Look at it
          </Link>
        </>
      ) : (
        <>
          <span className="pulse size-2 rounded-full bg-accent" aria-hidden="true" /> Waiting for your first
          wallet…
        </>
      )}
    </p>
  )
}

const nodeCommand = (secretKey: string) => `SYMBOLON_SECRET_KEY=${secretKey} node backend.mjs`
