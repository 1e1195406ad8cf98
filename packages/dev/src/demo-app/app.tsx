import { createClient } from '@symbolon/sdk'
import { SymbolonProvider } from '@symbolon/sdk/react'
import { useEffect, useMemo, useState } from 'react'
import { useLoggedCalls } from './call-log.ts'
import { demoConfig, type SigningMode } from './demo-config.ts'
import { CallState, LogPanel, shownMs } from './log-panel.tsx'
import { MailboxPanel } from './mailbox-panel.tsx'
import { PageHeader } from './page-header.tsx'
import { Story } from './story.tsx'
import { useMailbox } from './use-mailbox.ts'

const modeKey = 'symbolon-demo-mode'
const emailKey = 'symbolon-demo-email'

/** The demo: the story on the left, the mailbox and the log on the right. */
export function App() {
  const [mode, setMode] = useState<SigningMode>(() => (kept(modeKey) === 'tee' ? 'tee' : 'client'))
  const [email, setEmail] = useState(() => kept(emailKey) ?? 'ada@example.test')
  const mails = useMailbox(email)
  const client = useMemo(
    () =>
      createClient({
        publishableKey: demoConfig.organizations[mode].publishable_key,
        baseUrl: location.origin,
        storage: 'session',
        ...(demoConfig.chain && { rpcUrls: { [demoConfig.chain.handle]: demoConfig.chain.rpc_url } }),
      }),
    [mode],
  )
  useEffect(() => () => client.close(), [client])

  return (
    <>
      <PageHeader
        mode={mode}
        onMode={(next) => {
          keep(modeKey, next)
          setMode(next)
        }}
      />
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-6 px-4 pt-6 pb-24 lg:grid-cols-[minmax(0,1fr)_22rem] lg:pb-10">
        <main className="grid min-w-0 grid-cols-1 content-start gap-3">
          <SymbolonProvider client={client} key={mode}>
            <Story
              mode={mode}
              email={email}
              mails={mails}
              onEmail={(next) => {
                keep(emailKey, next)
                setEmail(next)
              }}
            />
          </SymbolonProvider>
        </main>
        <aside
          aria-label="Mailbox and log"
          className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-22 lg:max-h-[calc(100dvh-7rem)]"
        >
          <MailboxPanel address={email} mails={mails} />
          <LogPanel />
        </aside>
      </div>
      <LastCall />
    </>
  )
}

/** On a narrow screen the log is far down: its newest line stays in view and leads there. */
function LastCall() {
  const [call] = useLoggedCalls()
  if (call === undefined) return null
  return (
    <a
      href="#log"
      className="fixed inset-x-0 bottom-0 flex min-h-12 items-center gap-2 border-t border-line bg-surface px-4 text-xs lg:hidden"
    >
      <CallState state={call.state} />
      <code className="min-w-0 flex-1 truncate font-mono">{call.code}</code>
      <span className="text-muted tabular-nums">{call.state === 'running' ? '' : shownMs(call.ms)}</span>
    </a>
  )
}

/** Where the browser refuses storage, the demo works and forgets on reload. */
function kept(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // See above.
  }
}
