import type { Wallet } from '@symbolon/sdk'
import { useSession, useSymbolon } from '@symbolon/sdk/react'
import { useCallback, useEffect, useState } from 'react'
import { demoConfig, type SigningMode } from './demo-config.ts'
import { DeviceStep } from './steps/device-step.tsx'
import { KeyStep } from './steps/key-step.tsx'
import { LoginStep } from './steps/login-step.tsx'
import { SendStep } from './steps/send-step.tsx'
import { SignStep } from './steps/sign-step.tsx'
import { SmartAccountStep } from './steps/smart-account-step.tsx'
import { WalletStep } from './steps/wallet-step.tsx'
import type { Mail } from './use-mailbox.ts'

const titles = {
  client: 'A wallet that signs in your browser',
  tee: 'A wallet that signs in an enclave',
}

/** The steps in order, for one organization and the logged-in user. */
export function Story({
  mode,
  email,
  onEmail,
  mails,
}: {
  mode: SigningMode
  email: string
  onEmail: (email: string) => void
  mails: readonly Mail[]
}) {
  const client = useSymbolon()
  const session = useSession()
  const [wallets, setWallets] = useState<Partial<Record<Wallet['curve'], Wallet>>>({})
  const onWallet = useCallback(
    (wallet: Wallet) => setWallets((former) => ({ ...former, [wallet.curve]: wallet })),
    [],
  )
  const isSignedIn = session.status === 'signed_in'
  useEffect(() => {
    setWallets({})
    if (!isSignedIn) return
    void client.wallets.list().then(({ data }) => data?.forEach(onWallet))
  }, [client, isSignedIn, onWallet])

  const needsLogin = !isSignedIn ? 'Log in first.' : undefined
  const needsWallet =
    wallets.secp256k1 === undefined ? (needsLogin ?? 'Create your wallet first.') : undefined
  const needsChain =
    demoConfig.chain === undefined ? 'The local chain is off (SYMBOLON_CHAIN=off).' : needsWallet
  const wallet = wallets.secp256k1

  return (
    <>
      <div className="mb-2">
        <h1 className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">{titles[mode]}</h1>
        <p className="mt-1 text-muted">
          From login to key export in a few minutes. Each step shows its code; the log shows every call.
        </p>
      </div>
      <LoginStep email={email} onEmail={onEmail} mails={mails} />
      <WalletStep mode={mode} wallets={wallets} waitsFor={needsLogin} onWallet={onWallet} />
      <SignStep mode={mode} wallet={wallet} waitsFor={needsWallet} />
      <SendStep wallet={wallet} waitsFor={needsChain} />
      <SmartAccountStep wallet={wallet} waitsFor={needsChain} />
      {mode === 'client' && <DeviceStep wallet={wallet} waitsFor={needsWallet} onWallet={onWallet} />}
      <KeyStep
        number={mode === 'client' ? 7 : 6}
        mode={mode}
        wallets={wallets}
        waitsFor={needsLogin}
        onWallet={onWallet}
      />
    </>
  )
}
