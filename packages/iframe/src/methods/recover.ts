import { wipe } from '@symbolon/crypto'
import { completeRecovery, initiateRecovery, verifyRecovery } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { rebuildKey } from '../keys/rebuild-key.ts'
import { askMailedCode } from './ask-mailed-code.ts'
import { newSharesBody, reshare } from './reshare.ts'
import { requireClientMode, type Vault } from './vault.ts'
import { waitingProcess } from './waiting-process.ts'

/** `recovery.run`: an emailed code gives both of the service's shares, and the key they make gets a share on this device. */
export function recover(vault: Vault): Handlers['recovery.run'] {
  return async ({ curve }, signal) => {
    requireClientMode(vault)
    const user = vault.user()
    const wallet = await user.freshWallet(curve)

    const { dialogs } = vault
    const { processId, shares } = await askMailedCode(
      dialogs,
      {
        purpose: 'recovery',
        pageOrigin: vault.pageOrigin,
        waiting: waitingProcess(vault, user, wallet, 'recovery'),
        start: () => initiateRecovery(user.api, curve),
        trade: async (id, code) => ({
          processId: id,
          shares: await verifyRecovery(user.api, id, code),
        }),
      },
      signal,
    )
    const endBusy = dialogs.busy('Restoring your wallet on this device…', signal)
    const key = recoveredKey(wallet, shares)
    try {
      const send = (body: Parameters<typeof newSharesBody>[0]) =>
        completeRecovery(user.api, processId, newSharesBody(body))
      const now = await vault.exclusive(`reshare ${wallet.id}`, () => reshare(vault, user, wallet, key, send))
      return { wallet_id: now.id, polynomial_version: now.polynomialVersion }
    } finally {
      wipe(key)
      endBusy()
    }
  }
}

type Recovered = { walletId: string; providerShare: Uint8Array; recoveryShare: Uint8Array }

/** The key of both shares, which must belong to this wallet. */
function recoveredKey(wallet: Wallet, { walletId, providerShare, recoveryShare }: Recovered): Uint8Array {
  const { id, curve, publicKey } = wallet
  const key = walletId === id ? rebuildKey(curve, publicKey, providerShare, recoveryShare) : undefined
  wipe(providerShare, recoveryShare)
  if (key === undefined) throw new FrameFailure('key_mismatch')
  return key
}
