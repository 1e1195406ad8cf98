import { wipe } from '@symbolon/crypto'
import { parseEnvelope } from '@symbolon/crypto/node'
import { coalesce } from '../../../db/coalesce.ts'
import type { Sql } from '../../../db/pool.ts'
import type { Kms } from '../../../ports/kms.ts'
import { type SigningWallet, signingWalletsById } from './signing-wallets.store.ts'
import { shareIndexB } from './tee-wallet.ts'

/** A wallet ready for the enclave: the data key of share B is unwrapped, the shares themselves stay sealed. */
export type ReadyWallet = SigningWallet & { dataKeyB: Uint8Array }

/** Loads the wallets that sign. */
export type SigningWallets = {
  /** The wallet, possibly from memory: whoever releases a signature checks its status at the commit. */
  load(id: string): Promise<ReadyWallet | undefined>
  /** Whether it is archived now, by the database. */
  isArchived(id: string): Promise<boolean>
  /** Drops a wallet from memory. */
  forget(id: string): void
}

// Sealed shares, addresses and one data key: about 1.5 kB each.
const rememberedMax = 10_000

/** Loads wallets and keeps up to 10,000 in this process; the least recently used one goes first. */
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
      shareIndex: shareIndexB,
      polynomialVersion: wallet.polynomialVersion,
    })
    const ready = { ...wallet, dataKeyB }
    // An archived wallet is read again each time, so that unarchiving takes effect at once.
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
    // A caller that has just loaded it copies the key to the enclave's channel before the next turn of the event loop.
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
