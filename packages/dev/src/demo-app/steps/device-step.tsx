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

// On a new device: an emailed code, asked for in the frame, brings the key back.
await client.recovery.run()

// Every few months: new shares, and every older one is worthless.
await client.share.refresh()`

const states = {
  present: 'This browser holds its share.',
  absent: 'This browser has no share: it is a new device.',
  outdated: 'Another device has a newer share: this one no longer works.',
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
  const { state, story, error, ...actions } = useDevice(wallet, onWallet)

  return (
    <StepCard
      number={6}
      title="Lose the device, keep the wallet"
      lead="Delete this browser’s share, as if you were on a new device, and recover the wallet with an emailed code. The address stays the same."
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
          This browser does not keep storage for this page: closing it deletes the share.
        </Notice>
      )}
      <Actions state={state} {...actions} />
      {state !== undefined && state.deviceShare !== 'present' && <MailboxHint />}
      <ErrorNotice error={error} />
      {story !== undefined && <Story story={story} />}
    </StepCard>
  )
}

type DeviceStory = 'wiped' | 'recovered' | 'refreshed'
type Action = { isBusy: boolean; onClick(): void }

/** The state of this browser's share, the last action on it, and the possible ones. */
function useDevice(wallet: Wallet | undefined, onWallet: (wallet: Wallet) => void) {
  const client = useSymbolon()
  const wipe = useLoggedAction<unknown>()
  const recover = useLoggedAction<{ polynomial_version: number }>()
  const refresh = useLoggedAction<{ polynomial_version: number }>()
  const [state, setState] = useState<DeviceState>()
  const [story, setStory] = useState<DeviceStory>()

  const look = useCallback(async () => {
    if (wallet === undefined) return setState(undefined)
    const { data } = await client.wallets.deviceState()
    if (data === null) return
    setState(data)
  }, [client, wallet])
  useEffect(() => void look(), [look])

  /** A change of the shares changes the wallet's version too. */
  const after = async (result: { error: unknown } | undefined, next: DeviceStory) => {
    if (result?.error === null) setStory(next)
    const { data } = await client.wallets.get()
    if (data !== null) onWallet(data)
    await look()
  }
  const clear = () => {
    setStory(undefined)
    for (const action of [wipe, recover, refresh]) action.clear()
  }
  return {
    state,
    story,
    error: wipe.error ?? recover.error ?? refresh.error,
    wipe: {
      isBusy: wipe.isRunning,
      onClick() {
        clear()
        void wipe
          .run('wallets.wipeDevice()', () => client.wallets.wipeDevice())
          .then((result) => after(result, 'wiped'))
      },
    },
    refresh: {
      isBusy: refresh.isRunning,
      onClick() {
        clear()
        void refresh
          .run('share.refresh()', () => client.share.refresh())
          .then((result) => after(result, 'refreshed'))
      },
    },
    recover: {
      isBusy: recover.isRunning,
      onClick() {
        clear()
        void recover
          .run('recovery.run()', () => client.recovery.run())
          .then((result) => after(result, 'recovered'))
      },
    },
  }
}

function Actions({
  state,
  wipe,
  refresh,
  recover,
}: {
  state: DeviceState | undefined
  wipe: Action
  refresh: Action
  recover: Action
}) {
  return (
    <div className="flex flex-wrap gap-3">
      {state?.deviceShare === 'present' ? (
        <>
          <Button look="danger" {...wipe}>
            Forget this device
          </Button>
          <Button {...refresh}>Refresh the shares</Button>
        </>
      ) : (
        <Button look="primary" disabled={state === undefined} {...recover}>
          Recover with an emailed code
        </Button>
      )}
    </div>
  )
}

function Story({ story }: { story: DeviceStory }) {
  if (story === 'wiped')
    return <Notice look="plain">Forgotten. Signing now says that the share is missing: try it above.</Notice>
  if (story === 'refreshed')
    return <Notice look="good">Refreshed: every older share is worthless now.</Notice>
  return (
    <Notice look="good">
      Recovered: the same addresses, new shares. Whoever finds the old device finds nothing of use.
    </Notice>
  )
}
