import { useCallback, useEffect, useRef, useState } from 'react'
import { activeWallet } from '../client/active-wallet.ts'
import type { Curve, Wallet } from '../generated/answers.ts'
import type { SdkError } from '../result.ts'
import { useSymbolon } from './symbolon-provider.ts'
import { useSession } from './use-session.ts'

/** The wallet of the logged-in user. `wallet` is null without a login, while it loads, and if the user has none yet. */
export type UseWallet = {
  readonly wallet: Wallet | null
  readonly error: SdkError | null
  readonly isLoading: boolean
  /** Loads the wallet again, for example after a change on another device. */
  readonly refresh: () => Promise<void>
}

/** An answer, with its question: user and curve. */
type Answered = {
  readonly to: string | null
  readonly wallet: Wallet | null
  readonly error: SdkError | null
}

const nothing: Answered = { to: null, wallet: null, error: null }

/** Follows the wallet of a curve (default `secp256k1`) through logins, logouts and changes by this client. */
export function useWallet({ curve = 'secp256k1' }: { readonly curve?: Curve } = {}): UseWallet {
  const { wallets } = useSymbolon()
  const session = useSession()
  const question = session.status === 'signed_in' ? `${session.userIdentityId} ${curve}` : null
  const [answered, setAnswered] = useState<Answered>(nothing)
  const [isAsking, setIsAsking] = useState(false)
  const asked = useRef(0)

  const refresh = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    if (question === null) return
    setIsAsking(true)
    const { data, error } = await activeWallet(wallets, curve)
    // A later question has its own answer coming.
    if (mine !== asked.current) return
    setAnswered({ to: question, wallet: data, error })
    setIsAsking(false)
  }, [wallets, curve, question])

  useEffect(() => {
    void refresh()
    return () => {
      asked.current += 1
    }
  }, [refresh])

  useEffect(
    () =>
      wallets.onChange((change) => {
        if (change.curve === curve) void refresh()
      }),
    [wallets, curve, refresh],
  )

  // Until the answer is to this very question, a wallet of before would be somebody else's.
  const isCurrent = answered.to === question
  const { wallet, error } = isCurrent ? answered : nothing
  return { wallet, error, isLoading: question !== null && (isAsking || !isCurrent), refresh }
}
