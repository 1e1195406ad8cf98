import type { ListWallets } from '@symbolon/api'
import type * as z from 'zod'
import type { Queryable } from '../../../db/pool.ts'
import { storedAddress } from './stored-address.ts'
import { listWallets } from './wallet-list.store.ts'
import { walletWithIdentityToWire } from './wallet-to-wire.ts'

/** A page of the organization's wallets as backends and members read it. */
export async function walletListPage(
  sql: Queryable,
  organizationId: string,
  { limit, offset, status, curve, user_identity_id, email, address }: z.output<typeof ListWallets>,
) {
  const { items, total } = await listWallets(sql, {
    organizationId,
    limit,
    offset,
    ...(status !== undefined && { status }),
    ...(curve !== undefined && { curve }),
    ...(user_identity_id !== undefined && { userIdentityId: user_identity_id }),
    ...(email !== undefined && { email }),
    ...(address !== undefined && { address: storedAddress(address) }),
  })
  return { items: items.map(walletWithIdentityToWire), total, limit, offset }
}
