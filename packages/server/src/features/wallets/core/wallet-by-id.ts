import type { Wallet } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import { walletToWire } from './wallet.ts'
import { walletsStore } from './wallets.store.ts'

/** Reads a wallet that is there, as the wire has it, on the caller's connection. */
export async function walletById(sql: Queryable, organizationId: string, id: string): Promise<Wallet> {
  const found = await walletsStore.byId(sql, organizationId, id)
  if (found === undefined) throw new Error('The wallet is gone.')
  return walletToWire(found.wallet)
}
