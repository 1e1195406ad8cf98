import type { ReceiptPage } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import { type ReceiptsQuery, receiptsStore, type StoredReceipt } from './receipts.store.ts'

/** What to list: `walletId` of another organization or user is as good as none. */
export type ListReceipts = { after: number; limit: number; kid?: string; wallet_id?: string }

/** A page of an organization's receipts, oldest first. */
export function listReceipts(
  sql: Queryable,
  organizationId: string,
  { wallet_id: walletId, ...query }: ListReceipts,
): Promise<ReceiptPage> {
  return page(sql, { organizationId, ...query, ...(walletId !== undefined && { walletIds: [walletId] }) })
}

/** A page of the receipts of a user's wallets, oldest first; their cursors are those of the organization. */
export async function listOwnReceipts(
  sql: Queryable,
  owner: { organizationId: string; identityId: string },
  { wallet_id: walletId, ...query }: ListReceipts,
): Promise<ReceiptPage> {
  const { organizationId, identityId } = owner
  const own = await receiptsStore.walletsOf(sql, organizationId, identityId)
  const walletIds = walletId === undefined ? own : own.filter((id) => id === walletId)
  return page(sql, { organizationId, ...query, walletIds })
}

async function page(
  sql: Queryable,
  { limit, ...query }: Omit<ReceiptsQuery, 'rowsMax'> & { limit: number },
): Promise<ReceiptPage> {
  const rows = await receiptsStore.list(sql, { ...query, rowsMax: limit + 1 })
  const items = rows.slice(0, limit).map(toWire)
  return { items, last: items.at(-1)?.cursor ?? query.after, has_more: rows.length > limit }
}

const toWire = ({
  cursor,
  receiptId,
  walletId,
  kid,
  counter,
  issuedAt,
  jws,
}: StoredReceipt): ReceiptPage['items'][number] => ({
  cursor,
  receipt_id: receiptId,
  wallet_id: walletId,
  kid,
  counter,
  issued_at: issuedAt.toISOString(),
  receipt: jws,
})
