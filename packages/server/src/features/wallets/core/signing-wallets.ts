import { wipe } from '@symbolon/crypto'
import { parseEnvelope } from '@symbolon/crypto/node'
import { coalesce } from '../../../db/coalesce.ts'
import type { Sql } from '../../../db/pool.ts'
import type { Kms } from '../../../ports/kms.ts'
import { type SigningWallet, signingWalletsById } from './signing-wallets.store.ts'

/** A wallet ready to go to the enclave: share B's data key is unwrapped, the shares themselves stay sealed. */
export type ReadyWallet = SigningWallet & { dataKeyB: Uint8Array }

/** Where signatures get their wallets from. */
export type SigningWallets = {
  /** The wallet, possibly as it was a moment ago: whoever releases a signature checks its status at the commit. */
  load(id: string): Promise<ReadyWallet | undefined>
  /** Whether it is archived at this moment. */
  isArchived(id: string): Promise<boolean>
  /** Drops what is remembered of a wallet. */
  forget(id: string): void
}

// Sealed shares, addresses and one data key: about 1.5 kB each.
const rememberedMax = 10_000

/** The wallets that sign often, remembered by this process up to a bound; the least recently used one goes first. */
export function signingWallets({ sql, kms }: { sql: Sql; kms: Kms }): SigningWallets {
  const remembered = new Map<string, ReadyWallet>()

  const read = coalesce<string, SigningWallet | undefined>({
    run: (ids) => signingWalletsById(sql, ids),
    batchMax: 500,
    inFlightMax: 2,
  })

  async function loadFresh(id: string): Promise<ReadyWallet | undefined> {
    const wallet = await read(id)
    if (wallet === undefined) return undefined
    const dataKeyB = await kms.unwrap(parseEnvelope(wallet.shareB).wrappedKey, {
      organizationId: wallet.organizationId,
      walletId: wallet.id,
      purpose: 'tee-b',
      shareIndex: 2,
      polynomialVersion: wallet.polynomialVersion,
    })
    const ready = { ...wallet, dataKeyB }
    // An archived wallet is looked up anew each time: unarchiving takes effect at once.
    if (ready.status === 'active') remember(ready)
    return ready
  }

  function remember(wallet: ReadyWallet) {
    remembered.set(wallet.id, wallet)
    if (remembered.size <= rememberedMax) return
    const oldest = remembered.keys().next().value
    if (oldest !== undefined) drop(oldest)
  }

  function drop(id: string) {
    const wallet = remembered.get(id)
    remembered.delete(id)
    // Whoever has just loaded it copies the key to the enclave's channel before the event loop's next turn: then it can go.
    if (wallet !== undefined) setImmediate(() => wipe(wallet.dataKeyB))
  }

  return {
    async load(id) {
      const wallet = remembered.get(id)
      if (wallet === undefined) return loadFresh(id)
      remembered.delete(id)
      remembered.set(id, wallet)
      return wallet
    },
    isArchived: async (id) => (await read(id))?.status === 'archived',
    forget: drop,
  }
}
