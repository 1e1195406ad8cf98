import type { Wallet } from '@symbolon/sdk'
import { useSymbolon } from '@symbolon/sdk/react'
import { useState } from 'react'
import type { SigningMode } from '../demo-config.ts'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { MailboxHint } from '../ui/mailbox-hint.tsx'
import { Notice } from '../ui/notice.tsx'
import { useLoggedAction } from '../use-logged-action.ts'

type Curve = Wallet['curve']

const curves = ['secp256k1', 'ed25519'] as const
const keyNames = {
  secp256k1: 'Show my Ethereum and Bitcoin key',
  ed25519: 'Show my Solana key',
}

const code = `// Shown inside the frame, after a warning. Your page never sees it.
await client.keys.export()
await client.keys.export({ curve: 'ed25519' })

// And the way in: the user types an existing key into the frame.
await client.wallets.import()`

const leads = {
  client:
    'Self-custody means you can leave. The key is shown in the wallet’s own frame; this page cannot read it.',
  tee: 'Enter an emailed code, and the enclave seals the key to this browser. It is shown in the wallet’s own frame; neither the platform nor this page can read it.',
}

/** Leaving with the key, and bringing one along. */
export function KeyStep({
  number,
  mode,
  wallets,
  waitsFor,
  onWallet,
}: {
  number: number
  mode: SigningMode
  wallets: Partial<Record<Curve, Wallet>>
  waitsFor: string | undefined
  onWallet: (wallet: Wallet) => void
}) {
  const client = useSymbolon()
  const reveal = useLoggedAction<{ is_revealed: boolean }>(wallets.secp256k1?.polynomial_version)
  const [asked, setAsked] = useState<Curve>()
  const bring = useLoggedAction<Wallet>()
  /** A curve that still has no wallet: a key can only be brought where none is. */
  const free = curves.find((curve) => wallets[curve] === undefined)
  const owned = curves.filter((curve) => wallets[curve] !== undefined)
  const revealKey = (curve: Curve) => {
    setAsked(curve)
    void reveal.run(`keys.export(${curve === 'secp256k1' ? '' : "{ curve: 'ed25519' }"})`, () =>
      client.keys.export({ curve }),
    )
  }

  return (
    <StepCard
      number={number}
      title="Export your key, or import one"
      lead={leads[mode]}
      code={code}
      isDone={reveal.data?.is_revealed === true}
      waitsFor={waitsFor}
    >
      <div className="flex flex-wrap gap-3">
        <KeyButtons curves={owned} shown={reveal.isRunning ? asked : undefined} onReveal={revealKey} />
        <Button
          disabled={free === undefined}
          isBusy={bring.isRunning}
          onClick={() => {
            if (free === undefined) return
            void bring
              .run(`wallets.import({ curve: '${free}' })`, () => client.wallets.import({ curve: free }))
              .then((result) => result?.data && onWallet(result.data))
          }}
        >
          {free === 'ed25519' ? 'Import a Solana key' : 'Import an existing key'}
        </Button>
      </div>
      {free === undefined && <NoneFree />}
      {mode === 'tee' && <MailboxHint />}
      <ErrorNotice error={reveal.error ?? bring.error} />
      {reveal.data !== undefined && <Revealed isRevealed={reveal.data.is_revealed} />}
      {bring.data !== undefined && <Notice look="good">Imported: its addresses are above.</Notice>}
    </StepCard>
  )
}

/** One button per wallet; while a key is `shown`, the others wait. */
function KeyButtons({
  curves: owned,
  shown,
  onReveal,
}: {
  curves: readonly Curve[]
  shown: Curve | undefined
  onReveal: (curve: Curve) => void
}) {
  if (owned.length === 0) return <Button disabled>Show my private key</Button>
  return owned.map((curve) => (
    <Button
      key={curve}
      disabled={shown !== undefined && shown !== curve}
      isBusy={shown === curve}
      onClick={() => onReveal(curve)}
    >
      {owned.length === 1 ? 'Show my private key' : keyNames[curve]}
    </Button>
  ))
}

function Revealed({ isRevealed }: { isRevealed: boolean }) {
  return (
    <Notice look="good">
      {isRevealed
        ? 'You have seen your key. The audit log records every export.'
        : 'The dialog was closed before the key was shown.'}
    </Notice>
  )
}

function NoneFree() {
  return (
    <p className="text-xs text-muted">
      You have a wallet on both curves. To import a key, log in with another email address and import before
      you create.
    </p>
  )
}
