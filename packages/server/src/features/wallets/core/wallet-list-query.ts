import type { ListWallets } from '@symbolon/api'
import type * as z from 'zod'
import { storedAddress } from './stored-address.ts'
import type { WalletListQuery } from './wallet-list.store.ts'

/** What a page of the list asks for, from the query of the wire. */
export function walletListQuery(
  organizationId: string,
  query: z.output<typeof ListWallets>,
): WalletListQuery {
  const { limit, offset, status, curve, user_identity_id, email, address } = query
  return {
    organizationId,
    limit,
    offset,
    ...(status !== undefined && { status }),
    ...(curve !== undefined && { curve }),
    ...(user_identity_id !== undefined && { userIdentityId: user_identity_id }),
    ...(email !== undefined && { email }),
    ...(address !== undefined && { address: storedAddress(address) }),
  }
}
