import type { DeviceState, Wallet } from '@symbolon/sdk'
import { useSymbolon } from '@symbolon/sdk/react'
import { useCallback, useEffect, useState } from 'react'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { MailboxHint } from '../ui/mailbox-hint.tsx'
import { Notice } from '../ui/notice.tsx'
import { useLoggedAction } from '../use-logged-action.ts'

const code = `const { data } = await client.wallets.deviceState()
data.deviceShare        // present, absent or outdated

// On a new device: a mailed code, asked for in the frame, brings the key back.
await client.recovery.run()

// Every few months: new shares, and every older one is worthless.
await client.share.refresh()`

const states = {
  present: 'This browser holds its share.',
  absent: 'This browser has no share: it is a new device.',
  outdated: 'Another device has the newer share: this one is worthless.',
}

/** Losing the device, recovering on “another” one, and refreshing the shares. Client mode. */
export function DeviceStep({
  wallet,
  waitsFor,
  onWallet,
}: {
  wallet: Wallet | undefined
  waitsFor: string | undefined
  onWallet: (wallet: Wallet) => void
}) {
  const client = useSymbolon()
  const wipe = useLoggedAction<unknown>()
  const recover = useLoggedAction<{ polynomial_version: number }>()
  const refresh = useLoggedAction<{ polynomial_version: number }>()
  const [state, setState] = useState<DeviceState>()
  const [story, setStory] = useState<'wiped' | 'recovered' | 'refreshed'>()

  const look = useCallback(async () => {
    if (wallet === undefined) return setState(undefined)
    const { data } = await client.wallets.deviceState()
    if (data === null) return
    setState(data)
  }, [client, wallet])
  useEffect(() => void look(), [look])

  /** What changes the shares changes the wallet's version too. */
  const after = async (result: { error: unknown } | undefined, next: typeof story) => {
    if (result?.error === null) setStory(next)
    const { data } = await client.wallets.get()
    if (data !== null) onWallet(data)
    await look()
  }
  const clear = () => {
    setStory(undefined)
    for (const action of [wipe, recover, refresh]) action.clear()
  }

  return (
    <StepCard
      number={6}
      title="Lose the device, keep the wallet"
      lead="Wipe this browser’s share, as if it were another device, and come back by a code that is mailed to you. The address stays."
      code={code}
      isDone={story === 'recovered' || story === 'refreshed'}
      waitsFor={waitsFor}
    >
      <Facts>
        <Fact name="This device">{state === undefined ? '…' : states[state.deviceShare]}</Fact>
        <Fact name="Shares">version {wallet?.polynomial_version ?? '…'}</Fact>
      </Facts>
      {state?.isDurable === false && (
        <Notice look="plain">
          This browser keeps no storage here: the share lasts until the page closes.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        {state?.deviceShare === 'present' ? (
          <>
            <Button
              look="danger"
              isBusy={wipe.isRunning}
              onClick={() => {
                clear()
                void wipe
                  .run('wallets.wipeDevice()', () => client.wallets.wipeDevice())
                  .then((result) => after(result, 'wiped'))
              }}
            >
              Forget this device
            </Button>
            <Button
              isBusy={refresh.isRunning}
              onClick={() => {
                clear()
                void refresh
                  .run('share.refresh()', () => client.share.refresh())
                  .then((result) => after(result, 'refreshed'))
              }}
            >
              Refresh the shares
            </Button>
          </>
        ) : (
          <Button
            look="primary"
            disabled={state === undefined}
            isBusy={recover.isRunning}
            onClick={() => {
              clear()
              void recover
                .run('recovery.run()', () => client.recovery.run())
                .then((result) => after(result, 'recovered'))
            }}
          >
            Recover with a mailed code
          </Button>
        )}
      </div>
      {state !== undefined && state.deviceShare !== 'present' && <MailboxHint />}
      <ErrorNotice error={wipe.error ?? recover.error ?? refresh.error} />
      {story === 'wiped' && (
        <Notice look="plain">Forgotten. Signing now says that the share is missing: try it above.</Notice>
      )}
      {story === 'recovered' && (
        <Notice look="good">
          Recovered: the same addresses, new shares. Whoever finds the old device finds nothing of use.
        </Notice>
      )}
      {story === 'refreshed' && <Notice look="good">Refreshed: every older share is worthless now.</Notice>}
    </StepCard>
  )
}
