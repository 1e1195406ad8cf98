import { networks } from '@symbolon/networks/browser'
import type { ApiClient } from '../api/api-client.ts'
import { type Identity, identify, listWallets, userApi } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import { FrameFailure } from '../frame-failure.ts'
import type { Curve } from '../protocol/messages.ts'

/**
 * One login: the API for its user, and the answers that do not change. A wallet is remembered for its public key;
 * the service decides each time whether it may still sign.
 */
export function userSession(client: ApiClient, token: string) {
  const api = userApi(client, token)
  let known: Promise<Identity> | undefined
  const wallets = new Map<Curve, Wallet>()

  function identity(): Promise<Identity> {
    known ??= identify(api).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  async function freshWallet(curve: Curve): Promise<Wallet> {
    // All of them: before there is one, asking for one would be an error in the browser's console.
    const wallet = await anyWallet(curve)
    if (wallet !== undefined && !wallet.isArchived) {
      wallets.set(curve, wallet)
      return wallet
    }
    wallets.delete(curve)
    if (wallet === undefined) throw await absence(curve)
    throw new FrameFailure('wallet_archived', { message: 'The wallet is archived.' })
  }

  /** Why there is no wallet of the curve. */
  async function absence(curve: Curve): Promise<FrameFailure> {
    const { supportedNetworks } = await identity()
    if (networks.list.some((network) => network.curve === curve && supportedNetworks.includes(network.name)))
      return new FrameFailure('wallet_not_found', { message: 'Wallet not found.' })
    return new FrameFailure('invalid_curve', { message: `The organization has not enabled ${curve}.` })
  }

  async function anyWallet(curve: Curve): Promise<Wallet | undefined> {
    return (await listWallets(api)).find((wallet) => wallet.curve === curve)
  }

  return {
    api,

    identity,

    /** The active wallet of a curve as it was last read; `wallet_not_found` or `wallet_archived` without one. */
    wallet: async (curve: Curve): Promise<Wallet> => wallets.get(curve) ?? freshWallet(curve),
    /** The same, read now. */
    freshWallet,
    /** The wallet of a curve, archived ones too. */
    anyWallet,
  }
}

/** One login. */
export type UserSession = ReturnType<typeof userSession>
