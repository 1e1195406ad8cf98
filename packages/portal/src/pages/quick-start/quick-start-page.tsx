import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { apiKeysQuery, walletsQuery } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { TextLink } from '../../ui/links.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { AgentStep } from './agent-step.tsx'
import { curlSnippet, pageSnippet, type SnippetParts, serverSnippet, signSnippet } from './snippets.ts'
import { Step, WalletStatus } from './step.tsx'
import { useQuickKeys } from './use-quick-keys.ts'

const placeholders = { publishableKey: 'pk_live_…', secretKey: 'sk_live_…' }
const tools = [
  ['curl', 'curl'],
  ['node', 'Node.js'],
] as const
const watchMs = 3_000

/** Leads from API keys to a first call from the backend and a first wallet in a page. */
export function QuickStartPage() {
  const { id: orgID, signing_mode: mode } = useOrganization()
  const quickKeys = useQuickKeys()
  const { data: known } = useQuery(apiKeysQuery(orgID))
  const { data: wallets } = useQuery({
    ...walletsQuery(orgID, { limit: 1 }),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.total > 0 ? false : watchMs),
  })
  const walletId = wallets?.items[0]?.id
  const hasWallet = walletId !== undefined
  const parts = { baseUrl: location.origin, mode, walletId, ...(quickKeys.keys ?? placeholders) }
  const hasKeys =
    quickKeys.keys !== undefined ||
    known?.some(({ type, revoked_at }) => type === 'secret' && revoked_at === null) === true
  return (
    <Page
      title="Quick start"
      lead={`Get to ${mode === 'tee' ? 'a signature from your backend' : 'a wallet in your own page'} in five minutes.`}
    >
      <ol className="flex flex-col gap-4">
        <Step number={1} title="Create two API keys" isDone={hasKeys}>
          <Keys {...quickKeys} hasKeys={hasKeys} />
        </Step>
        <Step number={2} title="Call from your backend" isDone={mode === 'tee' && hasWallet}>
          <BackendCalls parts={parts} />
          {mode === 'tee' && <WalletStatus hasWallet={hasWallet} />}
        </Step>
        <Step number={3} title="Let a user in" isDone={mode === 'client' && hasWallet}>
          <UserPage parts={parts} />
          {mode === 'client' && <WalletStatus hasWallet={hasWallet} />}
        </Step>
        {mode === 'tee' && (
          <Step number={4} title="Let an agent sign, within limits" isDone={false}>
            <AgentStep secretKey={parts.secretKey} />
          </Step>
        )}
        <Step number={mode === 'tee' ? 5 : 4} title="See what happened" isDone={false}>
          <p>
            Everything is recorded. Open the <TextLink to="/o/$slug/audit">audit log</TextLink> and let your
            browser verify it. The{' '}
            <a href="/reference" target="_blank" rel="noreferrer" className="text-accent underline">
              API reference
            </a>{' '}
            documents every call.
          </p>
        </Step>
      </ol>
    </Page>
  )
}

function Keys({ keys, create, hasKeys }: ReturnType<typeof useQuickKeys> & { hasKeys: boolean }) {
  const mayCreate = useMay('developer')
  return (
    <>
      <p>
        Your app uses the publishable key, which anyone may see. Your backend uses the secret key, which
        nobody else may. Until you leave this page, the snippets below contain both keys.
      </p>
      {keys === undefined ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            disabled={!mayCreate}
            isBusy={create.isPending}
            icon={KeyRound}
            onClick={() => create.mutate()}
          >
            Create both keys
          </Button>
          {!mayCreate && (
            <span className="text-xs">Only developers, admins and owners can create API keys.</span>
          )}
          {mayCreate && hasKeys && (
            <span className="text-xs">Or paste your existing keys into the snippets.</span>
          )}
        </div>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2">
          <SecretOnce label="Publishable key" secret={keys.publishableKey} />
          <SecretOnce label="Secret key" secret={keys.secretKey} />
        </div>
      )}
      <ErrorNotice error={create.error} />
    </>
  )
}

function BackendCalls({ parts }: { parts: SnippetParts }) {
  const [tool, setTool] = useState<'curl' | 'node'>('curl')
  const isTee = parts.mode === 'tee'
  return (
    <>
      <p>
        {isTee
          ? 'This creates a wallet for a user, who doesn’t have to log in first, and signs with it in the enclave.'
          : 'In client mode, your users’ browsers create wallets. Your backend can list and archive them.'}
      </p>
      <div className="max-w-60">
        <Segmented label="Tool" options={tools} value={tool} onChange={setTool} />
      </div>
      {tool === 'curl' && <CodeBlock what="call" {...curlSnippet(parts)} />}
      {tool === 'curl' && isTee && <CodeBlock what="signature" {...signSnippet(parts)} />}
      {tool === 'node' && (
        <>
          <CodeBlock
            what="command"
            language="Shell"
            code={`SYMBOLON_SECRET_KEY=${parts.secretKey} node backend.mjs`}
          />
          <CodeBlock what="program" {...serverSnippet(parts)} />
        </>
      )}
    </>
  )
}

function UserPage({ parts }: { parts: SnippetParts }) {
  const { allowed_origins } = useOrganization()
  return (
    <>
      <p>
        Save this as <code className="font-mono text-xs">index.html</code> and serve it, for example with{' '}
        <code className="font-mono text-xs">npx serve</code>. It logs a user in with an emailed code, creates
        the wallet{parts.mode === 'client' && ' in the browser'} and signs. On a development platform, the
        email arrives in its{' '}
        <a href="/dev/mailbox" target="_blank" rel="noreferrer" className="text-accent underline">
          mailbox
        </a>
        .
      </p>
      {allowed_origins.length === 0 && (
        <Notice title="No origins allowed yet">
          In development, pages on this machine can call the API. Add all other origins in{' '}
          <TextLink to="/o/$slug/settings">Settings</TextLink>.
        </Notice>
      )}
      <CodeBlock what="page" {...pageSnippet(parts)} />
    </>
  )
}
